// Transfers in turn and several at a time: the same bytes at the same places, errors reported.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/storage/posix/engine.hpp"
#include "benchmarks/storage/posix/ring.hpp"
#include "tests/storage/temporary_file.hpp"

using namespace heorot;
using posix::Engine;
using posix::Transfer;

namespace {

constexpr std::size_t block = 4096;
constexpr std::size_t n_blocks = 37;

std::vector<std::size_t> backwards() {
    std::vector<std::size_t> offsets;
    for (std::size_t i = n_blocks; i-- > 0;) offsets.push_back(i * block);
    return offsets;
}

std::vector<std::byte> numbered() {
    std::vector<std::byte> bytes(n_blocks * block);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i / block * 7 + i % 251);
    }
    return bytes;
}

void check_bytes(Engine& engine) {
    const tests::TemporaryFile place;
    files::Trouble trouble;
    const files::File file = place.open(O_RDWR | O_CREAT, trouble);
    const auto offsets = backwards();
    std::vector<std::byte> out = numbered();
    std::vector<std::byte> in(out.size());
    Transfer transfer{file.number(), true, block, offsets, out.data()};
    engine.run(transfer, trouble);
    files::read_all(file.number(), in, 0, trouble);
    CHECK(!trouble.is_there() && in == out);
    std::ranges::fill(in, std::byte{0});
    transfer.writes = false;
    transfer.buffer = in.data();
    engine.run(transfer, trouble);
    CHECK(!trouble.is_there() && in == out);
}

void check_errors(Engine& engine) {
    const auto offsets = backwards();
    std::vector<std::byte> bytes = numbered();
    files::Trouble full;
    const files::File device(AT_FDCWD, "/dev/full", O_RDWR, full);
    engine.run({device.number(), true, block, offsets, bytes.data()}, full);
    CHECK(full.text() == "write: No space left on device");
    // A file of a block and a half: what is there is read, then it ends.
    const tests::TemporaryFile place;
    files::Trouble trouble;
    const files::File file = place.open(O_RDWR | O_CREAT, trouble);
    files::write_all(file.number(), std::span(bytes).first(block + block / 2), 0, trouble);
    CHECK(!trouble.is_there());
    engine.run({file.number(), false, block, offsets, bytes.data()}, trouble);
    CHECK(trouble.text() == "read: the file ends too early");
}

}  // namespace

int main() {
    std::vector<std::unique_ptr<Engine>> engines;
    for (const int depth : {1, 2, 16}) engines.push_back(posix::make_engine(depth));
    engines.push_back(posix::make_threads(4));
    for (const auto& engine : engines) {
        check_bytes(*engine);
        check_errors(*engine);
    }
    CHECK(engines.front()->name() == "calls" && engines.back()->name() == "threads");
    return tests::result();
}
