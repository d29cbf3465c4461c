// Which number of ranks to recommend where the given one cannot run.
#pragma once

namespace heorot {

/// The number next to n_ranks, rather less than more, of which fits(number) holds; `otherwise` if
/// there is none below 2 n_ranks.
template <class Fits>
int nearest_count(int n_ranks, const Fits& fits, int otherwise = 1) {
    for (int distance = 0; distance < n_ranks; ++distance) {
        if (fits(n_ranks - distance)) return n_ranks - distance;
        if (fits(n_ranks + distance)) return n_ranks + distance;
    }
    return otherwise;
}

}  // namespace heorot
