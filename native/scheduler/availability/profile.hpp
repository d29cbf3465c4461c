// How many nodes are free from when to when: a step function of time, changed and searched fast.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "scheduler/setting.hpp"

namespace heorot::scheduler {

/// Free nodes over the time from 0 on, at first the same number for ever.
///
/// Method  Steps in blocks of up to 64, each with its least and most free nodes and an amount that
///         is added to all of them: a search passes over whole blocks, a change of a long span
///         touches the blocks at its ends only.
class Profile {
  public:
    explicit Profile(std::int32_t n_nodes);

    /// Adds `nodes`, which may be negative, from `from` until `to`; `from` < `to`.
    void add(Time from, Time to, std::int32_t nodes);
    /// The earliest time, not before `from`, from which `nodes` are free for `length`; of times
    /// from `until` on it is taken for granted. At most `until`.
    Time earliest(std::int32_t nodes, Time length, Time from, Time until = never) const;
    /// The least that is free at any time from `from` until `to`; `from` < `to`.
    std::int32_t least(Time from, Time to) const;
    /// From when on how many nodes are free all the time since `from`; every one has fewer.
    std::vector<std::pair<Time, std::int32_t>> falls(Time from) const;
    /// Drops steps before `now`.
    void forget_before(Time now);
    /// Steps there are, for tests: those that make no difference are taken away.
    std::size_t n_steps() const;

  private:
    static constexpr std::size_t capacity = 64;

    struct Block {
        std::array<Time, capacity> times{};  ///< from when; until the next step
        std::array<std::int32_t, capacity> free{};
        std::size_t n = 0;
        std::int32_t added = 0;            ///< to all of `free`
        std::int32_t least = 0, most = 0;  ///< of `free`, with what is added

        void sum_up();
        void shift(std::size_t begin, std::size_t end, std::int32_t nodes);
        void insert(std::size_t at, Time time, std::int32_t stored);
        void remove(std::size_t at);
    };
    struct Place {
        std::size_t block = 0;
        std::size_t step = 0;
    };

    Place place_of(Time time) const;
    Place cut(Time time);
    void split(std::size_t block);
    void heal(Time time);

    std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace heorot::scheduler
