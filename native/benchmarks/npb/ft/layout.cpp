// npb/ft: cutting the grid, and the addresses in the four layouts.
#include "benchmarks/npb/ft/layout.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/fft.hpp"
#include "numerics/nearest_count.hpp"

namespace heorot::ft {

namespace {

/// Part number `part` of n indices in n_parts parts that differ by one index at most.
Range share(int n, int n_parts, int part) {
    const auto cut = [&](int p) { return static_cast<int>(std::int64_t{n} * p / n_parts); };
    return {cut(part), cut(part + 1)};
}

// Rows and planes are a block longer than their points need: at powers of two all points of a line
// along y or z would compete for the same few places of a cache.
constexpr std::int64_t row_gap = 1;    // [block]
constexpr std::int64_t plane_gap = 1;  // [block]

int n_blocks(const Grid& grid) {
    return grid.nx / n_lanes;
}

/// Lines of n blocks, `distance` blocks apart.
Addresses evenly(int n, std::int64_t distance) {
    Addresses lines;
    for (int i = 0; i < n; ++i) {
        lines.base.push_back(i * distance * block_length);
        lines.step.push_back(0);
    }
    return lines;
}

/// Lines of n blocks that come in n_parts parts, each with the blocks [line][block of the part].
/// Blocks are `distance` blocks apart, and `gap` more from one line to the next.
Addresses in_parts(int n, int n_parts, std::int64_t n_lines, std::int64_t distance,
                   std::int64_t gap) {
    Addresses lines;
    std::int64_t begin = 0;
    for (int p = 0; p < n_parts; ++p) {
        const Range part = share(n, n_parts, p);
        const std::int64_t pitch = part.size() * distance + gap;
        for (int i = 0; i < part.size(); ++i) {
            lines.base.push_back((begin + i * distance) * block_length);
            lines.step.push_back(pitch * block_length);
        }
        begin += n_lines * pitch;
    }
    return lines;
}

/// The length of each part of such lines.
Lengths lengths(int n, int n_parts, std::int64_t n_lines, std::int64_t distance, std::int64_t gap) {
    Lengths result;
    for (int p = 0; p < n_parts; ++p) {
        const std::int64_t pitch = share(n, n_parts, p).size() * distance + gap;
        result.push_back(n_lines * pitch * block_length);
    }
    return result;
}

}  // namespace

bool RankGrid::fits(const Grid& grid) const {
    return n_rows <= std::min(grid.ny, grid.nz) && n_columns <= std::min(n_blocks(grid), grid.ny);
}

RankGrid RankGrid::of(int n_ranks, int n_columns, const Grid& grid) {
    const int first = n_columns > 0 ? n_columns : 1;
    const int last = n_columns > 0 ? n_columns : n_ranks;
    for (int columns = first; columns <= last; ++columns) {
        const RankGrid candidate = {n_ranks / columns, columns};
        if (candidate.size() == n_ranks && candidate.fits(grid)) return candidate;
    }
    return {0, 0};
}

int RankGrid::nearest(int n_ranks, int n_columns, const Grid& grid) {
    const auto fits = [&](int n) { return of(n, n_columns, grid).n_rows > 0; };
    return nearest_count(n_ranks, fits, std::max(n_columns, 1));
}

Layout::Layout(const Grid& whole, const RankGrid& ranks, int rank)
    : grid(whole),
      has_columns(ranks.n_columns > 1),
      z(share(grid.nz, ranks.n_rows, ranks.row(rank))),
      y_of_row(share(grid.ny, ranks.n_rows, ranks.row(rank))),
      y_of_column(share(grid.ny, ranks.n_columns, ranks.column(rank))),
      x(share(n_blocks(grid), ranks.n_columns, ranks.column(rank))) {
    row_pitch = x.size() + row_gap;
    const std::int64_t plane_pitch = y_of_row.size() * row_pitch + plane_gap;
    along_z = evenly(grid.nz, plane_pitch);
    along_y = in_parts(grid.ny, ranks.n_rows, z.size(), row_pitch, plane_gap);
    lengths_along_z = lengths(grid.nz, ranks.n_rows, 1, plane_pitch, 0);
    lengths_along_y = lengths(grid.ny, ranks.n_rows, z.size(), row_pitch, plane_gap);
    if (has_columns) {
        const std::int64_t pitch = std::int64_t{z.size()} * x.size();
        turned = evenly(grid.ny, pitch);
        along_x = in_parts(n_blocks(grid), ranks.n_columns, n_lines(), 1, 0);
        lengths_turned = lengths(grid.ny, ranks.n_columns, 1, pitch, 0);
        lengths_along_x = lengths(n_blocks(grid), ranks.n_columns, n_lines(), 1, 0);
    }
    const auto total = [](const Lengths& parts) {
        return static_cast<std::size_t>(std::reduce(parts.begin(), parts.end()));
    };
    array_length = std::max({total(lengths_along_z), total(lengths_along_y), total(lengths_turned),
                             total(lengths_along_x)});
}

std::int64_t Layout::line(int y, int z_of_line) const {
    const std::int64_t j = y - y_of_column.first;
    const std::int64_t k = z_of_line - z.first;
    return has_columns ? j * z.size() + k : k * grid.ny + j;
}

int Layout::y_of(std::int64_t line) const {
    return y_of_column.first + static_cast<int>(has_columns ? line / z.size() : line % grid.ny);
}

int Layout::z_of(std::int64_t line) const {
    return z.first + static_cast<int>(has_columns ? line % z.size() : line / grid.ny);
}

std::int64_t Layout::address(std::int64_t line, int b) const {
    if (has_columns) return along_x.of(line, b);
    return along_y.of(line / grid.ny, static_cast<int>(line % grid.ny)) + b * block_length;
}

void Layout::fill(std::int64_t line, std::int64_t* at) const {
    if (has_columns) return along_x.fill(line, at);
    const std::int64_t origin = address(line, 0);
    for (int b = 0; b < n_blocks(grid); ++b) at[b] = origin + b * block_length;
}

}  // namespace heorot::ft
