// Bytes in a row by blocking send and receive in standard mode.
#pragma once

#include <cstddef>
#include <span>

#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/game.hpp"

namespace heorot::pingpong {

class Standard : public WithoutAgreement {
  public:
    Standard(const Contiguous& data, const Ends& ends)
        : world_(ends.world), out_(data.out()), in_(data.in()), peer_(ends.peer) {}
    void send() const { world_.send(out_, peer_, tag); }
    void receive() const { world_.receive(in_, peer_, tag); }

  private:
    const Communicator& world_;
    std::span<const std::byte> out_;
    std::span<std::byte> in_;
    int peer_;
};

}  // namespace heorot::pingpong
