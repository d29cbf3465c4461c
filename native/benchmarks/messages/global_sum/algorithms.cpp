// Global sums written with sends and receives.
#include "benchmarks/messages/global_sum/algorithms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace heorot::global_sum {

namespace {

constexpr int tag = 31;

/// A part of a vector.
struct Range {
    std::size_t first;
    std::size_t last;  ///< behind it
    std::size_t length() const { return last - first; }
    int count() const { return static_cast<int>(length()); }
};

/// sum(i) += other(i)
void add(double* __restrict sum, const double* __restrict other, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) sum[i] += other[i];
}

void send(const Group& group, std::span<const double> message, int to) {
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, to, tag, group.handle);
}

void receive(const Group& group, std::span<double> message, int from) {
    MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, from, tag, group.handle,
             MPI_STATUS_IGNORE);
}

void exchange(const Group& group, const double* out, int n_out, int to, double* in, int n_in,
              int from) {
    MPI_Sendrecv(out, n_out, MPI_DOUBLE, to, tag, in, n_in, MPI_DOUBLE, from, tag, group.handle,
                 MPI_STATUS_IGNORE);
}

/// The largest power of two of the ranks, which exchange in pairs; the others are folded into them.
class Cube {
  public:
    Cube(const Group& group, const Vectors& vectors)
        : group_(group),
          vectors_(vectors),
          size_(static_cast<int>(std::bit_floor(static_cast<unsigned>(group.size)))) {}

    int size() const { return size_; }
    int n_steps() const { return std::countr_zero(static_cast<unsigned>(size_)); }
    Range whole() const { return {0, vectors_.sum.size()}; }
    /// Whether this rank's partial sum is still its own vector, in its own place.
    bool is_fresh() const { return is_fresh_; }

    /// Whether this rank takes part in the next exchanges.
    bool fold() {
        if (group_.rank >= size_) {
            send(group_, vectors_.mine, group_.rank - size_);
            return false;
        }
        if (group_.rank + size_ < group_.size) {
            receive(group_, vectors_.sum, group_.rank + size_);
            add(vectors_.sum.data(), vectors_.mine.data(), vectors_.sum.size());
            is_fresh_ = false;
        }
        return true;
    }
    /// Sends the sum to ranks beyond the cube.
    void unfold() const {
        if (group_.rank >= size_) {
            receive(group_, vectors_.sum, group_.rank - size_);
        } else if (group_.rank + size_ < group_.size) {
            send(group_, vectors_.sum, group_.rank + size_);
        }
    }

    /// Sends one part of the partial sum and adds the partner's other part to the rest. The first
    /// part received is written to the result, so that this rank's own vector is not copied.
    void exchange_and_add(int partner, Range out, Range kept) {
        double* const sum = vectors_.sum.data() + kept.first;
        const double* const from = is_fresh_ ? vectors_.mine.data() : vectors_.sum.data();
        double* const landing = is_fresh_ ? sum : vectors_.work.data();
        exchange(group_, from + out.first, out.count(), partner, landing, kept.count(), partner);
        add(sum, is_fresh_ ? vectors_.mine.data() + kept.first : landing, kept.length());
        is_fresh_ = false;
    }

  private:
    const Group& group_;
    const Vectors& vectors_;
    int size_;
    bool is_fresh_ = true;
};

}  // namespace

void hypercube(const Group& group, const Vectors& vectors) {
    Cube cube(group, vectors);
    if (cube.fold()) {
        for (int bit = 1; bit < cube.size(); bit *= 2) {
            cube.exchange_and_add(group.rank ^ bit, cube.whole(), cube.whole());
        }
    }
    cube.unfold();
}

namespace {

/// The exchanges of one segment after the other. Two segments take turns: while one is added, the
/// exchange of the other is in flight.
class Pipeline {
  public:
    Pipeline(const Group& group, const Vectors& vectors, const Cube& cube)
        : group_(group),
          vectors_(vectors),
          n_(vectors.sum.size()),
          n_steps_(static_cast<std::size_t>(cube.n_steps())),
          n_turns_(n_ > vectors.segment ? 2 : 1),
          n_segments_(n_turns_ == 1 ? 1
                                    : 2 * ((n_ + 2 * vectors.segment - 1) / (2 * vectors.segment))),
          is_fresh_(cube.is_fresh()) {}

    void run() {
        const std::size_t n_exchanges = n_segments_ * n_steps_;
        start(0);
        for (std::size_t i = 0; i < n_exchanges; ++i) {
            const bool goes_on = i + 1 < n_exchanges;
            if (goes_on && n_turns_ == 2) start(i + 1);
            finish(i);
            if (goes_on && n_turns_ == 1) start(i + 1);
        }
    }

  private:
    /// Which part of the vector exchange i is about, and in which step.
    struct Place {
        std::size_t turn;
        std::size_t step;
        Range part;
    };
    Place place(std::size_t i) const {
        const std::size_t turn = i % n_turns_;
        const std::size_t round = i / n_turns_;
        const std::size_t segment = round / n_steps_ * n_turns_ + turn;
        return {.turn = turn,
                .step = round % n_steps_,
                .part = {segment * n_ / n_segments_, (segment + 1) * n_ / n_segments_}};
    }
    /// The place of received parts: see Cube::exchange_and_add().
    double* landing(const Place& at) const {
        if (is_fresh_ && at.step == 0) return vectors_.sum.data() + at.part.first;
        return vectors_.work.data() + at.turn * (n_ / 2);
    }
    const double* summed(const Place& at) const {
        const bool alone = is_fresh_ && at.step == 0;
        return (alone ? vectors_.mine.data() : vectors_.sum.data()) + at.part.first;
    }

    void start(std::size_t i) {
        const Place at = place(i);
        const int partner = group_.rank ^ (1 << at.step);
        auto& [in, out] = requests_[at.turn];
        MPI_Irecv(landing(at), at.part.count(), MPI_DOUBLE, partner, tag, group_.handle, &in);
        MPI_Isend(summed(at), at.part.count(), MPI_DOUBLE, partner, tag, group_.handle, &out);
    }
    void finish(std::size_t i) {
        const Place at = place(i);
        MPI_Waitall(2, requests_[at.turn].data(), MPI_STATUSES_IGNORE);
        const bool alone = is_fresh_ && at.step == 0;
        add(vectors_.sum.data() + at.part.first, alone ? summed(at) : landing(at),
            at.part.length());
    }

    const Group& group_;
    const Vectors& vectors_;
    std::size_t n_;
    std::size_t n_steps_;
    std::size_t n_turns_;
    std::size_t n_segments_;
    bool is_fresh_;
    std::array<std::array<MPI_Request, 2>, 2> requests_{};
};

}  // namespace

void recursive_doubling(const Group& group, const Vectors& vectors) {
    Cube cube(group, vectors);
    if (cube.fold()) Pipeline(group, vectors, cube).run();
    cube.unfold();
}

void ring(const Group& group, const Vectors& vectors) {
    const int next = (group.rank + 1) % group.size;
    const int previous = (group.rank + group.size - 1) % group.size;
    // Block b, counted around the ring.
    const auto block = [&](int b) -> Range {
        const auto n_blocks = static_cast<std::size_t>(group.size);
        const auto index = static_cast<std::size_t>((b + 2 * group.size) % group.size);
        const std::size_t n = vectors.sum.size();
        return {index * n / n_blocks, (index + 1) * n / n_blocks};
    };
    double* const sum = vectors.sum.data();
    const double* from = vectors.mine.data();
    for (int step = 0; step < group.size - 1; ++step) {
        const Range out = block(group.rank - step);
        const Range in = block(group.rank - step - 1);
        exchange(group, from + out.first, out.count(), next, sum + in.first, in.count(), previous);
        add(sum + in.first, vectors.mine.data() + in.first, in.length());
        from = sum;
    }
    for (int step = 0; step < group.size - 1; ++step) {
        const Range out = block(group.rank + 1 - step);
        const Range in = block(group.rank - step);
        exchange(group, sum + out.first, out.count(), next, sum + in.first, in.count(), previous);
    }
}

void rabenseifner(const Group& group, const Vectors& vectors) {
    Cube cube(group, vectors);
    if (cube.fold()) {
        struct Halves {
            Range kept;
            Range given;
        };
        std::array<Halves, 32> halves{};
        Range range = cube.whole();
        std::size_t step = 0;
        for (int bit = 1; bit < cube.size(); bit *= 2) {
            const std::size_t middle = range.first + range.length() / 2;
            const Range lower{range.first, middle};
            const Range upper{middle, range.last};
            const bool keeps_upper = (group.rank & bit) != 0;
            const Halves now = keeps_upper ? Halves{upper, lower} : Halves{lower, upper};
            cube.exchange_and_add(group.rank ^ bit, now.given, now.kept);
            range = now.kept;
            halves[step++] = now;
        }
        double* const sum = vectors.sum.data();
        for (int bit = cube.size() / 2; bit > 0; bit /= 2) {
            const auto& [mine, theirs] = halves[--step];
            exchange(group, sum + mine.first, mine.count(), group.rank ^ bit, sum + theirs.first,
                     theirs.count(), group.rank ^ bit);
        }
    }
    cube.unfold();
}

}  // namespace heorot::global_sum
