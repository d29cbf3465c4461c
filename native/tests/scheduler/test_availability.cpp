// The fast structures against slow ones: steps of free nodes, sequences in blocks, expected ends.
#include <algorithm>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "scheduler/availability/ends.hpp"
#include "scheduler/availability/profile.hpp"
#include "scheduler/blocked.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::scheduler;

namespace {

constexpr int horizon = 400;

/// Free nodes at every moment, one by one.
class SlowProfile {
  public:
    explicit SlowProfile(int n_nodes) : free_(horizon, n_nodes) {}
    void add(int from, int to, int nodes) {
        for (int t = from; t < to; ++t) free_[static_cast<std::size_t>(t)] += nodes;
    }
    int least(int from, int to) const {
        return *std::min_element(free_.begin() + from, free_.begin() + to);
    }
    int earliest(int nodes, int length, int from, int until) const {
        for (int begin = from; begin < until; ++begin) {
            const int end = std::min({begin + length, until, horizon});
            if (least(begin, end) >= nodes) return begin;
        }
        return until;
    }
    std::vector<std::pair<Time, std::int32_t>> falls(int from) const {
        std::vector<std::pair<Time, std::int32_t>> falls;
        for (int t = from; t < horizon; ++t) {
            const int free = free_[static_cast<std::size_t>(t)];
            if (t == from || free < least(from, t)) falls.emplace_back(t, free);
        }
        return falls;
    }
    std::size_t n_steps() const {
        std::size_t n = 1;
        for (std::size_t t = 1; t < free_.size(); ++t) n += free_[t] != free_[t - 1];
        return n;
    }

  private:
    std::vector<int> free_;
};

void check_profile(std::uint64_t seed) {
    tests::Random random(seed);
    constexpr int n_nodes = 50;
    Profile fast(n_nodes);
    SlowProfile slow(n_nodes);
    for (int i = 0; i < 400; ++i) {
        const int from = tests::draw(random, 0, horizon - 3);
        const int longest = i % 3 == 0 ? horizon : 8;
        const int to = tests::draw(random, from + 1, std::min(horizon - 1, from + longest));
        const int nodes = tests::draw(random, -slow.least(from, to), 9);
        fast.add(from, to, nodes);
        slow.add(from, to, nodes);
        CHECK(fast.least(from, to) == slow.least(from, to));
        const int wanted = tests::draw(random, 1, n_nodes);
        const int length = tests::draw(random, 1, 30);
        const int until = tests::draw(random, from, horizon - 1);
        CHECK(fast.earliest(wanted, length, from, until) ==
              slow.earliest(wanted, length, from, until));
        CHECK(fast.n_steps() == slow.n_steps());
        CHECK(fast.falls(from) == slow.falls(from));
    }
    fast.forget_before(horizon / 2);
    CHECK(fast.least(horizon / 2, horizon - 1) == slow.least(horizon / 2, horizon - 1));
    CHECK(fast.n_steps() <= slow.n_steps());
}

struct Number {
    int value = 0;
    bool operator<(const Number& other) const { return value < other.value; }
};
struct Largest {
    explicit Largest(std::span<const Number> numbers) {
        for (const Number& number : numbers) value = std::max(value, number.value);
    }
    int value = -1;
};
using Sequence = Blocked<Number, Largest>;

std::vector<int> content(const Sequence& sequence) {
    std::vector<int> values;
    sequence.walk([&](const Largest& largest, std::span<const Number> numbers) {
        CHECK(!numbers.empty() && numbers.size() <= 64);
        int most = -1;
        for (const Number& number : numbers) {
            values.push_back(number.value);
            most = std::max(most, number.value);
        }
        CHECK(largest.value == most);
        return true;
    });
    return values;
}

/// Of entries above 900, which are sought one by one, every third is removed, the last first.
void check_places(Sequence& fast, std::set<int>& slow) {
    std::vector<Sequence::Cursor> places;
    Sequence::Cursor at;
    int n = 0;
    const auto passes_over = [](const Largest& largest) { return largest.value <= 900; };
    for (auto next = slow.upper_bound(900); next != slow.end(); ++at.entry) {
        const Number* found = fast.seek(at, passes_over);
        CHECK(found != nullptr && found->value == *next);
        if (found == nullptr) return;
        if (n++ % 3 == 0) places.push_back(at);
        next = n % 3 == 1 ? slow.erase(next) : std::next(next);
    }
    CHECK(fast.seek(at, passes_over) == nullptr);
    for (const auto& place : std::views::reverse(places)) fast.erase_at(place);
}

void check_blocked(std::uint64_t seed) {
    tests::Random random(seed);
    Sequence fast;
    std::set<int> slow;
    for (int i = 0; i < 1500; ++i) {
        const int value = seed % 2 == 0 ? i : tests::draw(random, 0, 5000);
        if (slow.insert(value).second) {
            const Number* after = fast.insert({value});
            const auto next = slow.upper_bound(value);
            CHECK((after == nullptr) == (next == slow.end()));
            CHECK(after == nullptr || after->value == *next);
        }
        if (i % 3 == 0) {
            const int gone = *std::next(slow.begin(), tests::draw(random, 0, 9) % std::ssize(slow));
            slow.erase(gone);
            fast.erase({gone});
        }
        if (i % 50 == 49) {
            fast.pop_front();
            slow.erase(slow.begin());
        }
    }
    CHECK(fast.size() == slow.size() && fast.front().value == *slow.begin());
    CHECK(content(fast) == std::vector<int>(slow.begin(), slow.end()));
    // Passed over: blocks without anything above 700. Taken: what is above that and even.
    fast.sift([](const Largest& largest) { return largest.value <= 700; },
              [](const Number& number) {
                  return number.value > 700 && number.value % 2 == 0 ? Verdict::take
                                                                     : Verdict::keep;
              });
    std::erase_if(slow, [](int value) { return value > 700 && value % 2 == 0; });
    check_places(fast, slow);
    CHECK(fast.size() == slow.size());
    CHECK(content(fast) == std::vector<int>(slow.begin(), slow.end()));
    fast.sift([](const Largest&) { return false; }, [](const Number&) { return Verdict::take; });
    CHECK(fast.empty() && content(fast).empty());
}

void check_ends() {
    Ends ends;
    for (Index job = 0; job < 200; ++job) ends.add(10 + job / 2, job, 1);
    // Three are free; of five more, two end at 10, two at 11, two at 12: one is left over.
    Ends::Shadow shadow = ends.shadow(8, 3);
    CHECK(shadow.time == 12 && shadow.extra_nodes == 1);
    shadow = ends.shadow(203, 3);
    CHECK(shadow.time == 109 && shadow.extra_nodes == 0);
    CHECK(ends.shadow(204, 3).time == never);
    ends.remove(10, 0);
    ends.remove(10, 1);
    shadow = ends.shadow(131, 3);
    CHECK(shadow.time == 74 && shadow.extra_nodes == 0);
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        check_profile(seed);
        check_blocked(seed);
    }
    check_ends();
    return tests::result();
}
