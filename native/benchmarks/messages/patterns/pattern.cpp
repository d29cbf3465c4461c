// Messages that arrive as they were sent: contents, stamps and their verification.
#include "benchmarks/messages/patterns/pattern.hpp"

#include <algorithm>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::patterns {

std::span<double> Letters::make_room(std::size_t n) {
    return buffers_.emplace_back(n).all();
}

void Letters::fill(std::int64_t round) {
    for (const Letter& letter : incoming_) std::ranges::fill(letter.elements, wiped);
    for (const Letter& letter : outgoing_) {
        payload::fill(letter.elements, letter.sender, round, letter.first);
    }
}

void Letters::stamp(std::int64_t body) {
    const double value = payload::stamp(rank_, body);
    for (const Letter& letter : outgoing_) payload::put_ends(letter.elements, value);
}

std::int64_t Letters::n_wrong(std::int64_t round) const {
    std::int64_t wrong = 0;
    for (const Letter& letter : incoming_) {
        wrong += payload::n_wrong(letter.elements, letter.sender, round, letter.first);
    }
    for (const auto& buffer : buffers_) wrong += buffer.n_touched_behind(buffer.size());
    return wrong;
}

std::int64_t Letters::n_wrong_ends(std::int64_t body) const {
    std::int64_t wrong = 0;
    for (const Letter& letter : incoming_) {
        wrong += payload::n_wrong_ends(letter.elements, payload::stamp(letter.sender, body));
    }
    return wrong;
}

std::span<double> Letters::received() {
    return incoming_.empty() ? std::span<double>{} : incoming_.front().elements;
}

}  // namespace heorot::patterns
