// Nearest neighbours on a torus of one, two or three dimensions.
#pragma once

#include <array>
#include <string>

#include "benchmarks/messages/patterns/pairs.hpp"
#include "benchmarks/messages/patterns/pattern.hpp"

namespace heorot::patterns {

constexpr int most_dimensions = 3;

/// Ranks in each direction of a torus.
class Torus {
  public:
    Torus(int n_ranks, int n_dimensions);
    /// As in "3x2x1".
    std::string text() const;
    int n_dimensions() const { return n_dimensions_; }
    int extent(int d) const { return extents_[static_cast<std::size_t>(d)]; }
    const int* extents() const { return extents_.data(); }

  private:
    int n_dimensions_;
    std::array<int, most_dimensions> extents_{};
};

/// Each rank sends a message to each of its neighbours on the torus, and receives one from each.
/// Where an extent is 1, a rank would be its own neighbour: nothing is sent.
class Neighbours final : public Letters {
  public:
    Neighbours(const Setting& setting, const Torus& torus, Directions directions);
    Neighbours(const Neighbours&) = delete;
    Neighbours& operator=(const Neighbours&) = delete;
    ~Neighbours() override;
    Work work() const override;
    void transfer() override;

  private:
    /// One direction: all ranks send to the next, and receive from the one before.
    struct Step {
        int to;
        int from;
        std::span<double> out;
        std::span<double> in;
    };

    void add_step(int dimension, int by, std::size_t length);
    void one_after_the_other() const;
    void both_at_once() const;

    MPI_Comm torus_ = MPI_COMM_NULL;
    Directions directions_;
    std::vector<Step> steps_;
};

}  // namespace heorot::patterns
