// A sorted sequence in blocks of up to 64 entries, each with a summary by which searches skip
// whole blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace heorot::scheduler {

/// Decision about an entry, and about those after it.
enum class Verdict { keep, take };

/// Entries have a total order by `<`; a block has a `Summary(std::span<const Entry>)` of its
/// entries.
template <class Entry, class Summary>
class Blocked {
  public:
    /// A place; entries that come or go after it do not move it.
    struct Cursor {
        std::size_t block = 0, entry = 0;
    };

    bool empty() const { return blocks_.empty(); }
    std::size_t size() const { return n_entries_; }
    /// Precondition: it is not empty.
    const Entry& front() const { return blocks_.front()->entries[0]; }

    /// Inserts an entry and returns the one after it, or null.
    const Entry* insert(const Entry& entry) {
        ++n_entries_;
        if (blocks_.empty()) blocks_.push_back(std::make_unique<Block>());
        std::size_t b = block_of(entry);
        if (blocks_[b]->n == capacity) b = split(b, entry);
        Block& block = *blocks_[b];
        const auto at = std::upper_bound(block.begin(), block.end(), entry);
        std::move_backward(at, block.end(), block.end() + 1);
        *at = entry;
        ++block.n;
        block.sum_up();
        if (at + 1 != block.end()) return &*(at + 1);
        return b + 1 < blocks_.size() ? blocks_[b + 1]->entries.data() : nullptr;
    }

    /// Removes an entry that is there.
    void erase(const Entry& entry) {
        const std::size_t b = block_of(entry);
        Block& block = *blocks_[b];
        remove(b, std::lower_bound(block.begin(), block.end(), entry));
    }

    /// Removes the entry at a place.
    void erase_at(const Cursor& at) {
        remove(at.block, blocks_[at.block]->begin() + static_cast<std::ptrdiff_t>(at.entry));
    }

    void pop_front() { remove(0, blocks_.front()->begin()); }

    void clear() {
        blocks_.clear();
        n_entries_ = 0;
    }

    /// Visits all entries in order, but none of blocks for which `passes_over(summary)`; those
    /// taken are removed. `visit` may not change the sequence.
    template <class PassesOver, class Visit>
    void sift(const PassesOver& passes_over, const Visit& visit) {
        bool has_gaps = false;
        for (const auto& block : blocks_) {
            if (passes_over(block->summary)) continue;
            const auto kept = std::remove_if(block->begin(), block->end(), [&](const Entry& entry) {
                return visit(entry) == Verdict::take;
            });
            const auto n_kept = static_cast<std::size_t>(kept - block->begin());
            if (n_kept == block->n) continue;
            n_entries_ -= block->n - n_kept;
            block->n = n_kept;
            block->sum_up();
            has_gaps = has_gaps || n_kept == 0;
        }
        if (has_gaps) std::erase_if(blocks_, [](const auto& block) { return block->n == 0; });
    }

    /// The first entry from a place on that is not passed over by `passes_over(summary)`, with its
    /// block or alone, if there is one; the place becomes its own.
    template <class PassesOver>
    const Entry* seek(Cursor& at, const PassesOver& passes_over) const {
        for (; at.block < blocks_.size(); ++at.block, at.entry = 0) {
            const Block& block = *blocks_[at.block];
            if (passes_over(block.summary)) continue;
            for (; at.entry < block.n; ++at.entry) {
                const Entry& entry = block.entries[at.entry];
                if (!passes_over(Summary(std::span(&entry, 1)))) return &entry;
            }
        }
        return nullptr;
    }

    /// The entries block by block: `visit(summary, entries)` until it returns false.
    template <class Visit>
    void walk(const Visit& visit) const {
        for (const auto& block : blocks_) {
            if (!visit(block->summary, std::span<const Entry>(block->entries.data(), block->n))) {
                return;
            }
        }
    }

  private:
    static constexpr std::size_t capacity = 64;

    struct Block {
        std::array<Entry, capacity> entries{};
        std::size_t n = 0;
        Summary summary{std::span<const Entry>{}};

        auto begin() { return entries.begin(); }
        auto end() { return entries.begin() + static_cast<std::ptrdiff_t>(n); }
        void sum_up() { summary = Summary(std::span<const Entry>(entries.data(), n)); }
    };

    /// The last block that begins with the entry or before it, else the first.
    std::size_t block_of(const Entry& entry) const {
        const auto after = std::upper_bound(
            blocks_.begin(), blocks_.end(), entry,
            [](const Entry& e, const auto& block) { return e < block->entries[0]; });
        return after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin()) - 1;
    }

    /// Makes two of a full block; returns which of them the entry belongs to.
    std::size_t split(std::size_t b, const Entry& entry) {
        Block& low = *blocks_[b];
        auto high = std::make_unique<Block>();
        // Insertion at the end, as in a queue, leaves a full block behind, not two halves.
        const bool is_last = b + 1 == blocks_.size() && !(entry < low.entries[capacity - 1]);
        const std::size_t n_low = is_last ? capacity - 1 : capacity / 2;
        std::copy(low.begin() + static_cast<std::ptrdiff_t>(n_low), low.end(), high->begin());
        high->n = capacity - n_low;
        high->sum_up();
        low.n = n_low;
        low.sum_up();
        const bool goes_high = !(entry < high->entries[0]);
        blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(high));
        return goes_high ? b + 1 : b;
    }

    void remove(std::size_t b, std::array<Entry, capacity>::iterator at) {
        Block& block = *blocks_[b];
        std::move(at + 1, block.end(), at);
        --block.n;
        --n_entries_;
        if (block.n == 0) {
            blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
        } else {
            block.sum_up();
        }
    }

    std::vector<std::unique_ptr<Block>> blocks_;
    std::size_t n_entries_ = 0;
};

}  // namespace heorot::scheduler
