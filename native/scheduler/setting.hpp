// Input of a simulation: jobs, the machine, and the rules by which jobs get their nodes.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heorot::scheduler {

/// Microseconds since the begin of the workload. Whole numbers: whether a job ends before another
/// begins is then exact, and the same with every compiler.
using Time = std::int64_t;

constexpr Time never = std::numeric_limits<Time>::max();
constexpr Time second = 1'000'000;

/// A job by its place in the workload.
using Index = std::int32_t;

constexpr Index nobody = -1;

/// One job as the file has it, little-endian.
struct Job {
    Time submit = 0;
    Time run = 0;       ///< how long it really takes, at least 0
    Time estimate = 1;  ///< how long the scheduler takes it to be, at least `run` and 1
    Time think = 0;     ///< from the end of `preceding` to the submission
    Index preceding = nobody;
    std::int32_t nodes = 1;
    std::int32_t cores = 1;  ///< in all, spread evenly: the first nodes have one more
    std::int32_t user = 0;   ///< from 0
    float priority = 0.0F;   ///< the greater, the earlier
    float share = 1.0F;      ///< that its user has paid for, the same in all jobs of a user
    std::uint32_t flags = 0;
    std::uint32_t unused = 0;

    static constexpr std::uint32_t uses_network = 1;  ///< takes a port on each of its nodes
    static constexpr std::uint32_t is_exclusive = 2;  ///< shares none of its nodes
};
static_assert(sizeof(Job) == 64);

/// Nodes that no job may use for a time, as in an advance reservation or a maintenance.
struct Block {
    Time from = 0;
    Time to = 0;
    std::int32_t nodes = 0;
    std::int32_t unused = 0;
};
static_assert(sizeof(Block) == 24);

/// The order of the queue; equals in the order of arrival.
enum class Order : std::uint32_t {
    arrival,
    shortest,    ///< by estimate
    longest,     ///< by estimate
    smallest,    ///< by nodes
    largest,     ///< by nodes
    priority,    ///< with ageing
    fair_share,  ///< priority with ageing, and a term for users with little recent usage
};

/// Jobs that may overtake the first of the queue.
enum class Backfill : std::uint32_t {
    none,
    easy,          ///< jobs that do not delay the first one
    conservative,  ///< jobs that delay no reservation: all jobs have one, or so many
    first_fit,     ///< any job that fits
};

/// Which nodes a job can have.
enum class Allocation : std::uint32_t {
    exclusive,   ///< any nodes, and all of each
    packed,      ///< cores of nodes, the fullest nodes first
    contiguous,  ///< neighbouring nodes, and all of each
};

/// The machine and its rules.
struct Setting {
    std::int32_t n_nodes = 1;
    std::int32_t cores_per_node = 1;
    std::int32_t ports_per_node = 0;  ///< 0: ports are not counted
    Order order = Order::arrival;
    Backfill backfill = Backfill::none;
    /// Jobs that have one at a time, of conservative backfilling.
    std::int32_t most_reservations = std::numeric_limits<std::int32_t>::max();
    Allocation allocation = Allocation::exclusive;
    double ageing = 0.0;             ///< priority gained per second of waiting
    double share_weight = 0.0;       ///< priority of a user without usage
    double half_life_seconds = 0.0;  ///< after which past usage counts half; 0: for ever in full
    bool wants_places = false;       ///< whether to report the nodes of jobs
    std::vector<Block> blocks;       ///< by `from`
};

/// The reason why these cannot be simulated; empty if they can.
std::string complaint_about(const Setting& setting, const std::vector<Job>& jobs);

/// Whether a job can ever run there, given for ever.
bool can_ever_run(const Job& job, const Setting& setting);

}  // namespace heorot::scheduler
