// The load: messages that the aggressors send to each other without pause.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "harness/program.hpp"

namespace heorot::congestion {

/// Messages of each to all others in turn, or of all to the first.
enum class Pattern { all_to_all, incast };

struct Shape {
    Pattern pattern;
    std::size_t n_elements;  ///< doubles of a message
    int in_flight;           ///< messages that each sender has in flight
};

/// Messages in flight among the aggressors, in lanes: in each, the next message begins when the
/// last one has come. A default-constructed load, that of a victim, has no lanes.
class Load {
  public:
    Load() = default;
    /// `aggressors` must outlive this, and are at least two.
    Load(const Communicator& aggressors, const Shape& shape);

    /// From now on lanes take up one message after the other.
    void start();
    /// Starts the next message of each lane whose last one has arrived; returns whether any had.
    bool progress();
    /// Completes the messages begun by the farthest rank; returns when all have arrived.
    /// **Collective** over the aggressors.
    void drain();

    /// Sends messages whose every element is known, outside any timer, to each receiver; the number
    /// of elements that arrived wrong or were written behind a message. **Collective** over the
    /// aggressors, between drain() and start().
    std::int64_t n_wrong_elements(Program& program, int round);

    std::int64_t n_sent() const { return n_sent_; }
    std::int64_t n_received() const { return n_received_; }
    /// Ends of messages without the sender's stamp of this message.
    std::int64_t n_wrong_ends() const { return n_wrong_ends_; }

  private:
    static constexpr int nobody = -1;

    struct Lane {
        int key;     ///< the same at both ends
        int tag;     ///< of the messages between two ranks
        int sender;  ///< of an incast
        payload::Buffer<double> out;
        payload::Buffer<double> in;
        std::int64_t n_begun = 0;
        int to = nobody;
        int from = nobody;
        bool is_under_way = false;
        std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    };

    void add_lane(int key, int tag, int sender);
    void choose_peers(Lane& lane) const;
    void begin(Lane& lane);
    void post(Lane& lane);
    void verify(const Lane& lane);
    bool advance(Lane& lane);
    std::int64_t n_wrong_in_step(Program& program, int round);

    const Communicator* aggressors_ = nullptr;
    Shape shape_{};
    int n_keys_ = 0;
    std::vector<Lane> lanes_;
    std::vector<double> limits_;  // messages that the lanes of a key may begin
    std::int64_t n_sent_ = 0;
    std::int64_t n_received_ = 0;
    std::int64_t n_wrong_ends_ = 0;
};

}  // namespace heorot::congestion
