// Packing and sending ghost points and levels.
#include "benchmarks/npb/mg/exchange.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/npb/mg/operators.hpp"

namespace heorot::mg {

namespace {

enum Tag { downwards = 1, upwards = 2 };

// The part of a level, owned as a whole, that lies on one rank's part of the next finer one.
std::array<Range, 3> window(const Axes& fine) {
    std::array<Range, 3> part;
    for (std::size_t d = 0; d < 3; ++d) {
        part[d] = coarse_points({0, fine[d].n}, fine[d].first);
    }
    return part;
}

// Copies the points of a box, row by row, between a field and a buffer.
template <class Copy>
void for_each_row(Field& field, const std::array<Range, 3>& box, double* buffer, const Copy& copy) {
    for (Index k = box[2].first; k < box[2].last; ++k) {
        const Plane plane = field.plane(k);
        for (Index j = box[1].first; j < box[1].last; ++j) {
            copy(plane.row(j) + box[0].first, buffer, box[0].size());
            buffer += box[0].size();
        }
    }
}

void pack(Field& field, const std::array<Range, 3>& box, std::span<double> buffer) {
    for_each_row(field, box, buffer.data(),
                 [](const double* row, double* packed, Index n) { std::copy_n(row, n, packed); });
}

void unpack(Field& field, const std::array<Range, 3>& box, std::span<double> buffer) {
    for_each_row(field, box, buffer.data(),
                 [](double* row, const double* packed, Index n) { std::copy_n(packed, n, row); });
}

}  // namespace

Exchange::Exchange(const Communicator& world, const ProcessGrid& grid, const Axes& finest)
    : world_(world) {
    const auto& [x, y, z] = finest;
    Index longest = 0;
    if (x.split) longest = std::max(longest, ghost_depth * y.n * z.n);
    if (y.split) longest = std::max(longest, ghost_depth * (x.n + 2 * ghost_depth) * z.n);
    // Levels that are gathered have 16^3 points, or more where there are many ranks.
    Index n = 1;
    while (is_replicated(grid, 2 * n)) n *= 2;
    buffers_[0] = Array<double>(static_cast<std::size_t>(std::max(longest, n * n * n)));
    for (std::size_t side = 1; side < 4; ++side) {
        buffers_[side] = Array<double>(static_cast<std::size_t>(longest));
    }
}

void Exchange::swap(const Axis& axis, std::span<const double> down, std::span<const double> up,
                    std::span<double> from_below, std::span<double> from_above) const {
    std::array<Request, 4> requests = {
        world_.start_receive(from_below, axis.lower, upwards),
        world_.start_receive(from_above, axis.upper, downwards),
        world_.start_send(down, axis.lower, downwards),
        world_.start_send(up, axis.upper, upwards),
    };
    world_.wait(requests);
}

void Exchange::fill_ghosts(Field& field, Index depth) {
    const auto& [x, y, z] = field.axes();
    if (x.split) exchange_columns(field, depth);
    if (y.split) exchange_rows(field, depth);
    if (z.split) exchange_planes(field, depth);
}

void Exchange::exchange_columns(Field& field, Index depth) {
    const auto& [x, y, z] = field.axes();
    const Range rows = {0, y.n};
    const Range planes = {0, z.n};
    const Index n = depth * y.n * z.n;
    pack(field, {{{0, depth}, rows, planes}}, buffer(0, n));
    pack(field, {{{x.n - depth, x.n}, rows, planes}}, buffer(1, n));
    swap(x, buffer(0, n), buffer(1, n), buffer(2, n), buffer(3, n));
    unpack(field, {{{-depth, 0}, rows, planes}}, buffer(2, n));
    unpack(field, {{{x.n, x.n + depth}, rows, planes}}, buffer(3, n));
}

void Exchange::exchange_rows(Field& field, Index depth) {
    const auto& [x, y, z] = field.axes();
    const Range columns = owned(field.axes(), depth).x;
    const Range planes = {0, z.n};
    const Index n = columns.size() * depth * z.n;
    pack(field, {{columns, {0, depth}, planes}}, buffer(0, n));
    pack(field, {{columns, {y.n - depth, y.n}, planes}}, buffer(1, n));
    swap(y, buffer(0, n), buffer(1, n), buffer(2, n), buffer(3, n));
    unpack(field, {{columns, {-depth, 0}, planes}}, buffer(2, n));
    unpack(field, {{columns, {y.n, y.n + depth}, planes}}, buffer(3, n));
}

// Planes lie back to back in memory: nothing is packed.
void Exchange::exchange_planes(Field& field, Index depth) {
    const Axis& z = field.axes()[2];
    const auto n = static_cast<std::size_t>(depth * field.geometry().plane_size());
    swap(z, {field.memory(0), n}, {field.memory(z.n - depth), n}, {field.memory(-depth), n},
         {field.memory(z.n), n});
}

void Exchange::fill_padding(Field& field, Index depth) {
    const auto& [x, y, z] = field.axes();
    for (Index k = 0; k < z.n; ++k) {
        for (Index j = 0; j < y.n; ++j) {
            double* const row = field.plane(k).row(j);
            std::copy_n(row + x.n - depth, depth, row - depth);
            std::copy_n(row, depth, row + x.n);
        }
    }
}

void Exchange::gather_level(Field& field, const Axes& fine) {
    const Index n = field.axes()[0].n;
    const std::span<double> all = buffer(0, n * n * n);
    std::fill(all.begin(), all.end(), 0.0);
    const auto mine = window(fine);
    for (Index k = mine[2].first; k < mine[2].last; ++k) {
        for (Index j = mine[1].first; j < mine[1].last; ++j) {
            std::copy_n(field.plane(k).row(j) + mine[0].first, mine[0].size(),
                        all.data() + (k * n + j) * n + mine[0].first);
        }
    }
    world_.sum(all);  // exact: of the numbers that are added for a point, one is not 0
    unpack(field, {{{0, n}, {0, n}, {0, n}}}, all);
}

}  // namespace heorot::mg
