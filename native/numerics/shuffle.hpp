// Putting things into a random order.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace heorot {

/// Reorders `things`, every order as likely as any other, with draw(n): a random number from 0 to
/// n - 1, asked for with n from things.size() down to 2. Source: D. E. Knuth, The Art of Computer
/// Programming 2, 3rd ed. (1998), section 3.4.2, algorithm P.
template <class T, class Draw>
void shuffle(std::span<T> things, Draw&& draw) {
    for (std::size_t n = things.size(); n > 1; --n) std::swap(things[n - 1], things[draw(n)]);
}

}  // namespace heorot
