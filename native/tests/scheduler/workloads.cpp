// Workloads for tests, drawn at random or written down.
#include "tests/scheduler/workloads.hpp"

#include <algorithm>

namespace heorot::tests {

using scheduler::Job;
using scheduler::Time;

int draw(Random& random, int low, int high) {
    return low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
}

std::vector<Job> draw_jobs(Random& random, const Mix& mix) {
    std::vector<Job> jobs;
    Time submit = 0;
    const int longest = draw(random, 1, 30);
    const int rarest = draw(random, 0, 8);
    for (int i = 0; i < mix.n_jobs; ++i) {
        submit += draw(random, 0, 2) == 0 ? 0 : draw(random, 0, rarest);
        const int most = mix.has_giants ? mix.n_nodes + 1 : mix.n_nodes;
        const Time run = draw(random, 0, longest);
        Job own = job(submit, run, run, draw(random, 0, 2) == 0 ? draw(random, 1, most) : 1);
        own.cores = own.nodes * draw(random, 1, mix.cores_per_node);
        own.cores -= draw(random, 0, own.cores - own.nodes);
        own.estimate = std::max<Time>(1, run + (mix.exact ? 0 : draw(random, 0, longest)));
        own.user = draw(random, 0, 3);
        own.share = static_cast<float>(own.user + 1);
        own.priority = static_cast<float>(draw(random, 0, 3));
        own.flags = static_cast<std::uint32_t>(draw(random, 0, 3));
        if (mix.has_chains && i > 0 && draw(random, 0, 3) == 0) {
            own.preceding = draw(random, 0, i - 1);
            own.think = draw(random, 0, 5);
        }
        jobs.push_back(own);
    }
    return jobs;
}

Job job(Time submit, Time run, Time estimate, int nodes) {
    Job own;
    own.submit = submit;
    own.run = run;
    own.estimate = estimate;
    own.nodes = nodes;
    own.cores = nodes;
    return own;
}

}  // namespace heorot::tests
