// How blocks of a file are transferred: see engine.hpp.
#include "benchmarks/storage/posix/engine.hpp"

#include <cstdint>

#include "benchmarks/storage/posix/ring.hpp"

namespace heorot::posix {

namespace {

class InTurn final : public Engine {
  public:
    std::string_view name() const override { return "calls"; }
    void run(const Transfer& transfer, files::Trouble& trouble) override {
        for (std::size_t i = 0; i < transfer.offsets.size() && !trouble.is_there(); ++i) {
            transfer.one(i, 0, trouble);
        }
    }
};

class Threads final : public Engine {
  public:
    explicit Threads(int depth) : depth_(depth) {}
    std::string_view name() const override { return "threads"; }
    void run(const Transfer& transfer, files::Trouble& trouble) override {
        const auto n = static_cast<std::int64_t>(transfer.offsets.size());
#pragma omp parallel num_threads(depth_)
        {
            files::Trouble own;
#pragma omp for schedule(dynamic)
            for (std::int64_t i = 0; i < n; ++i) {
                if (!own.is_there()) transfer.one(static_cast<std::size_t>(i), 0, own);
            }
#pragma omp critical
            if (own.is_there()) trouble = own;
        }
    }

  private:
    int depth_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(int depth) {
    if (depth == 1) return std::make_unique<InTurn>();
    auto ring = Ring::make(static_cast<unsigned>(depth));
    if (ring != nullptr) return ring;
    return make_threads(depth);
}

std::unique_ptr<Engine> make_threads(int depth) {
    return std::make_unique<Threads>(depth);
}

}  // namespace heorot::posix
