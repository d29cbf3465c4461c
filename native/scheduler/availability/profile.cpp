// Steps of free nodes, kept in blocks.
#include "scheduler/availability/profile.hpp"

#include <algorithm>

namespace heorot::scheduler {

void Profile::Block::sum_up() {
    const auto [low, high] =
        std::minmax_element(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(n));
    least = *low + added;
    most = *high + added;
}

void Profile::Block::shift(std::size_t begin, std::size_t end, std::int32_t nodes) {
    if (begin == 0 && end == n) {
        added += nodes;
        least += nodes;
        most += nodes;
        return;
    }
    for (std::size_t i = begin; i < end; ++i) free[i] += nodes;
    sum_up();
}

void Profile::Block::insert(std::size_t at, Time time, std::int32_t stored) {
    const auto begin = static_cast<std::ptrdiff_t>(at);
    const auto end = static_cast<std::ptrdiff_t>(n);
    std::move_backward(times.begin() + begin, times.begin() + end, times.begin() + end + 1);
    std::move_backward(free.begin() + begin, free.begin() + end, free.begin() + end + 1);
    times[at] = time;
    free[at] = stored;
    ++n;
}

void Profile::Block::remove(std::size_t at) {
    const auto begin = static_cast<std::ptrdiff_t>(at);
    const auto end = static_cast<std::ptrdiff_t>(n);
    std::move(times.begin() + begin + 1, times.begin() + end, times.begin() + begin);
    std::move(free.begin() + begin + 1, free.begin() + end, free.begin() + begin);
    --n;
}

Profile::Profile(std::int32_t n_nodes) {
    blocks_.push_back(std::make_unique<Block>());
    blocks_.front()->insert(0, 0, n_nodes);
    blocks_.front()->sum_up();
}

Profile::Place Profile::place_of(Time time) const {
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), time,
                                        [](Time t, const auto& b) { return t < b->times[0]; });
    const auto block = static_cast<std::size_t>(after - blocks_.begin()) - 1;
    const Block& own = *blocks_[block];
    const auto end = own.times.begin() + static_cast<std::ptrdiff_t>(own.n);
    const auto step = std::upper_bound(own.times.begin(), end, time) - own.times.begin() - 1;
    return {block, static_cast<std::size_t>(step)};
}

Profile::Place Profile::cut(Time time) {
    Place place = place_of(time);
    if (blocks_[place.block]->times[place.step] == time) return place;
    if (blocks_[place.block]->n == capacity) {
        split(place.block);
        place = place_of(time);
    }
    Block& block = *blocks_[place.block];
    block.insert(place.step + 1, time, block.free[place.step]);
    return {place.block, place.step + 1};
}

void Profile::split(std::size_t block) {
    Block& low = *blocks_[block];
    auto high = std::make_unique<Block>(low);
    constexpr std::size_t half = capacity / 2;
    std::copy(low.times.begin() + half, low.times.end(), high->times.begin());
    std::copy(low.free.begin() + half, low.free.end(), high->free.begin());
    low.n = half;
    high->n = capacity - half;
    low.sum_up();
    high->sum_up();
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(block) + 1, std::move(high));
}

void Profile::heal(Time time) {
    const Place place = place_of(time);
    Block& block = *blocks_[place.block];
    if (block.times[place.step] != time || (place.block == 0 && place.step == 0)) return;
    const Block& before = place.step > 0 ? block : *blocks_[place.block - 1];
    const std::size_t last = place.step > 0 ? place.step - 1 : before.n - 1;
    if (before.free[last] + before.added != block.free[place.step] + block.added) return;
    block.remove(place.step);
    if (block.n == 0) {
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block));
    } else {
        block.sum_up();
    }
}

void Profile::add(Time from, Time to, std::int32_t nodes) {
    cut(to);
    const Place begin = cut(from);
    const Place end = place_of(to);
    for (std::size_t b = begin.block; b <= end.block; ++b) {
        const std::size_t first = b == begin.block ? begin.step : 0;
        const std::size_t last = b == end.block ? end.step : blocks_[b]->n;
        if (first < last) blocks_[b]->shift(first, last, nodes);
    }
    heal(to);
    heal(from);
}

Time Profile::earliest(std::int32_t nodes, Time length, Time from, Time until) const {
    const Place place = place_of(from);
    Time found = never;  // since when there are enough
    for (std::size_t b = place.block; b < blocks_.size(); ++b) {
        const Block& block = *blocks_[b];
        const bool passes = found == never ? block.most < nodes : block.least >= nodes;
        if (passes && block.times[0] < until) continue;
        for (std::size_t i = b == place.block ? place.step : 0; i < block.n; ++i) {
            const Time time = std::max(block.times[i], from);
            if (time >= until || (found != never && time >= found + length)) {
                return std::min(found, until);
            }
            if (block.free[i] + block.added < nodes) {
                found = never;
            } else if (found == never) {
                found = time;
            }
        }
    }
    return std::min(found, until);
}

std::int32_t Profile::least(Time from, Time to) const {
    const Place place = place_of(from);
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::size_t b = place.block; b < blocks_.size(); ++b) {
        const Block& block = *blocks_[b];
        for (std::size_t i = b == place.block ? place.step : 0; i < block.n; ++i) {
            if (block.times[i] >= to) return least;
            least = std::min(least, block.free[i] + block.added);
        }
    }
    return least;
}

std::vector<std::pair<Time, std::int32_t>> Profile::falls(Time from) const {
    std::vector<std::pair<Time, std::int32_t>> falls;
    const Place place = place_of(from);
    for (std::size_t b = place.block; b < blocks_.size(); ++b) {
        const Block& block = *blocks_[b];
        if (!falls.empty() && block.least >= falls.back().second) continue;
        for (std::size_t i = b == place.block ? place.step : 0; i < block.n; ++i) {
            const std::int32_t free = block.free[i] + block.added;
            if (!falls.empty() && free >= falls.back().second) continue;
            falls.emplace_back(std::max(block.times[i], from), free);
        }
    }
    return falls;
}

void Profile::forget_before(Time now) {
    while (blocks_.size() > 1 && blocks_[1]->times[0] <= now) blocks_.erase(blocks_.begin());
}

std::size_t Profile::n_steps() const {
    std::size_t n = 0;
    for (const auto& block : blocks_) n += block->n;
    return n;
}

}  // namespace heorot::scheduler
