// The work of a body, by two measures that must not be mixed.
//
// Performed flops are additions, subtractions, multiplications, divisions and square roots on
// points, cells or elements of the problem, as one rank performs them, without those in lanes that
// hold no point and those repeated on another rank. They are compared with the instructions that
// the programs execute in tests/contract/binaries/test_performed_flops.py.
#pragma once

#include <vector>

#include "harness/record/record.hpp"

namespace heorot {

struct Work {
    double operations = 0.0;  ///< by the benchmark's own definition
    double flops = 0.0;       ///< really performed
    /// Bytes that the passes of the method move if no data stay in a cache from one pass to the
    /// next: each reads its input once and writes its output once. Write-allocate traffic is not
    /// counted.
    double bytes = 0.0;

    friend Work operator*(double times, const Work& work) {
        return {times * work.operations, times * work.flops, times * work.bytes};
    }
    std::vector<Count> counts() const {
        return {{"operations", operations}, {"flops", flops}, {"bytes", bytes}};
    }
};

}  // namespace heorot
