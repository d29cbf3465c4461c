// The other modes in which MPI sends bytes in a row.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/game.hpp"

namespace heorot::pingpong {

/// A message as MPI's own calls take it.
struct Message {
    Message(const Contiguous& data, const Ends& ends)
        : out(data.out().data()),
          in(data.in().data()),
          n(static_cast<int>(data.out().size())),
          peer(ends.peer),
          group(ends.world.mpi()) {}
    const std::byte* out;
    std::byte* in;
    int n;
    int peer;
    MPI_Comm group;
};

/// Returns from a send when the other end has begun to receive.
class Synchronous : public WithoutAgreement {
  public:
    Synchronous(const Contiguous& data, const Ends& ends) : m_(data, ends) {}
    void send() const { MPI_Ssend(m_.out, m_.n, MPI_BYTE, m_.peer, tag, m_.group); }
    void receive() const {
        MPI_Recv(m_.in, m_.n, MPI_BYTE, m_.peer, tag, m_.group, MPI_STATUS_IGNORE);
    }

  private:
    Message m_;
};

/// Sends only what the other end is known to await, as this mode demands. Each end starts to
/// receive the next message before it sends its own. What it sends therefore tells the other end
/// that the answer is awaited; only the first message needs a word in advance.
class Ready {
  public:
    Ready(const Contiguous& data, const Ends& ends) : m_(data, ends), is_first_(ends.mine == 0) {}
    void open() {
        if (is_first_) {
            MPI_Recv(nullptr, 0, MPI_BYTE, m_.peer, word_tag, m_.group, MPI_STATUS_IGNORE);
        } else {
            await();
            MPI_Send(nullptr, 0, MPI_BYTE, m_.peer, word_tag, m_.group);
        }
    }
    void send() {
        await();
        MPI_Rsend(m_.out, m_.n, MPI_BYTE, m_.peer, tag, m_.group);
    }
    void receive() { MPI_Wait(&next_, MPI_STATUS_IGNORE); }
    /// The second end still awaits a message: an empty one.
    void close() {
        if (is_first_) {
            MPI_Rsend(nullptr, 0, MPI_BYTE, m_.peer, tag, m_.group);
        } else {
            receive();
        }
    }

  private:
    static constexpr int word_tag = tag + 1;
    void await() { MPI_Irecv(m_.in, m_.n, MPI_BYTE, m_.peer, tag, m_.group, &next_); }

    Message m_;
    bool is_first_;
    MPI_Request next_ = MPI_REQUEST_NULL;
};

/// Describes its messages to the library once, and starts them again and again.
class Persistent : public WithoutAgreement {
  public:
    Persistent(const Contiguous& data, const Ends& ends) {
        const Message m(data, ends);
        MPI_Send_init(m.out, m.n, MPI_BYTE, m.peer, tag, m.group, &send_);
        MPI_Recv_init(m.in, m.n, MPI_BYTE, m.peer, tag, m.group, &receive_);
    }
    Persistent(const Persistent&) = delete;
    Persistent& operator=(const Persistent&) = delete;
    ~Persistent() {
        MPI_Request_free(&send_);
        MPI_Request_free(&receive_);
    }
    void send() { start_and_wait(send_); }
    void receive() { start_and_wait(receive_); }

  private:
    static void start_and_wait(MPI_Request& request) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    MPI_Request send_ = MPI_REQUEST_NULL;
    MPI_Request receive_ = MPI_REQUEST_NULL;
};

}  // namespace heorot::pingpong
