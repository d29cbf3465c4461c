// Numbers that are known from the publications of the generators.
#pragma once

namespace heorot::random {

/// How many known answers a generator misses.
double n_wrong_of_philox();
double n_wrong_of_xoshiro256();
double n_wrong_of_pcg32();
double n_wrong_of_mt19937();
double n_wrong_of_npb();

}  // namespace heorot::random
