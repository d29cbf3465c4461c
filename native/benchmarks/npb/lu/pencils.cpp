// Pencils: the cut that costs least, halos of u, and edges of v on their way through a sweep.
#include "benchmarks/npb/lu/pencils.hpp"

#include <algorithm>
#include <limits>

namespace heorot::lu {

namespace {

constexpr int n_components = 5;
constexpr int halo_tag = 1;
constexpr int sweep_tag = 2;
constexpr Range all_rows = {0, std::numeric_limits<int>::max()};

int first_point(int n, int n_parts, int part) {
    return static_cast<int>(static_cast<std::int64_t>(n) * part / n_parts);
}

/// Steps that the slowest rank makes in a plane, empty lanes included.
int cost(const Extent& grid, const PencilGrid& pencils) {
    int most = 0;
    for (int rank = 0; rank < pencils.nx * pencils.ny; ++rank) {
        const Layout layout(pencils.box(grid, rank), Layout::Rows::solved);
        most = std::max(most, layout.n_blocks() * layout.n_steps());
    }
    return most;
}

/// Values of a row of points in a field, or of contributions to one, and how far they are apart.
struct Row {
    double* first;
    std::ptrdiff_t per_column, per_component;
};

auto rows_of(Field& field, int first_column) {
    return [&field, first_column](int j, int k) {
        return Row{&field.at(0, first_column, j, k), sizeof(Cell) / sizeof(double), n_lanes};
    };
}

auto rows_of(const Edges& edges, int first_column) {
    return [&edges, first_column](int, int k) {
        return Row{edges.at(first_column, k), Edges::stride, 1};
    };
}

constexpr auto copy_out = [](double& in_message, const double& in_row) { in_message = in_row; };
constexpr auto copy_in = [](const double& in_message, double& in_row) { in_row = in_message; };

}  // namespace

std::optional<PencilGrid> PencilGrid::best(const Extent& grid, int n_ranks) {
    std::optional<PencilGrid> best;
    for (int nx = 1; nx <= n_ranks; ++nx) {
        const PencilGrid candidate = {nx, n_ranks / nx};
        if (candidate.nx * candidate.ny != n_ranks) continue;
        if (candidate.nx > grid[0] || candidate.ny > grid[1]) continue;
        if (!best || cost(grid, candidate) < cost(grid, *best)) best = candidate;
    }
    return best;
}

int PencilGrid::nearest_that_fits(const Extent& grid, int n_ranks) {
    for (int distance = 0; distance < n_ranks; ++distance) {
        if (best(grid, n_ranks - distance)) return n_ranks - distance;
        if (best(grid, n_ranks + distance)) return n_ranks + distance;
    }
    return 1;
}

Box PencilGrid::box(const Extent& grid, int rank) const {
    const int px = rank % nx;
    const int py = rank / nx;
    return {grid,
            {first_point(grid[0], nx, px), first_point(grid[1], ny, py), 0},
            {first_point(grid[0], nx, px + 1), first_point(grid[1], ny, py + 1), grid[2]}};
}

Neighbours::Neighbours(const PencilGrid& pencils, const Extent& grid,
                       const Communicator& communicator)
    : box_(pencils.box(grid, communicator.rank())),
      is_thin_(grid[0] < 2 * pencils.nx || grid[1] < 2 * pencils.ny),
      communicator_(communicator) {
    for (const int sign : {-1, 1}) {
        add_side(pencils, 0, sign);
        add_side(pencils, 1, sign);
    }
}

void Neighbours::add_side(const PencilGrid& pencils, int direction, int sign) {
    const int rank = communicator_.rank();
    const int place = direction == 0 ? rank % pencils.nx : rank / pencils.nx;
    const int n_places = direction == 0 ? pencils.nx : pencils.ny;
    if (place + sign < 0 || place + sign >= n_places) return;
    const std::size_t n_values = std::size_t{2} * n_components *
                                 static_cast<std::size_t>(box_.size(1 - direction)) *
                                 static_cast<std::size_t>(box_.size(2));
    Neighbour side;
    side.rank = rank + sign * (direction == 0 ? 1 : pencils.nx);
    side.direction = static_cast<std::size_t>(direction);
    side.sign = sign;
    side.outgoing.resize(n_values);
    side.incoming.resize(n_values);
    sides_.push_back(std::move(side));
}

bool Neighbours::has_row(int sign) const {
    return std::ranges::any_of(
        sides_, [&](const Neighbour& side) { return side.direction == 1 && side.sign == sign; });
}

int Neighbours::Patch::n_rows() const {
    return end[1] - begin[1];
}

std::size_t Neighbours::Patch::n_values() const {
    std::size_t n = n_components;
    for (std::size_t d = 0; d < 3; ++d) n *= static_cast<std::size_t>(end[d] - begin[d]);
    return n;
}

/// The layers of points at some distances from the face to a neighbour, outside the pencil (from 1
/// on) or inside it (from 0 on); fewer if the grid ends there.
Neighbours::Patch Neighbours::layers(const Neighbour& side, bool in_halo, Range distances,
                                     Range planes) const {
    Patch patch = {box_.begin, box_.end};
    const std::size_t d = side.direction;
    const int face = side.sign < 0 ? box_.begin[d] : box_.end[d] - 1;
    const int outwards = in_halo ? side.sign : -side.sign;
    const int nearest = face + outwards * (distances.first + (in_halo ? 1 : 0));
    const int farthest = face + outwards * (distances.end - 1 + (in_halo ? 1 : 0));
    patch.begin[d] = std::max(0, std::min(nearest, farthest));
    patch.end[d] = std::min(box_.grid[d], std::max(nearest, farthest) + 1);
    patch.begin[2] = planes.first;
    patch.end[2] = planes.end;
    return patch;
}

/// The layer whose v, or contributions, a sweep sends the neighbour in a chunk: points solved for.
Neighbours::Patch Neighbours::in_sweep(const Neighbour& side, bool in_halo,
                                       std::size_t chunk) const {
    Patch patch = layers(side, in_halo, {0, 1}, chunks_[chunk]);
    const std::size_t along = 1 - side.direction;
    const Range solved = solved_in(box_, static_cast<int>(along));
    patch.begin[along] = solved.first;
    patch.end[along] = solved.end;
    return patch;
}

/// The place of a chunk's message in the side's memory: all chunks have their own.
std::span<double> Neighbours::message_of(const Neighbour& side, std::vector<double>& all,
                                         std::size_t chunk) const {
    const Range planes = chunks_[chunk];
    const std::size_t n_values = in_sweep(side, false, chunk).n_values();
    const std::size_t per_plane = n_values / static_cast<std::size_t>(planes.size());
    return std::span(all).subspan(per_plane * static_cast<std::size_t>(planes.first), n_values);
}

/// Calls copy(value in the message, value in the row) for those rows of a patch that are in `rows`.
template <class RowOf, class Copy>
void Neighbours::visit(const Patch& patch, Range rows, double* message, RowOf row_of, Copy copy) {
    const int first = std::max(patch.begin[1], rows.first);
    const int end = std::min(patch.end[1], rows.end);
    const std::ptrdiff_t n_columns = patch.end[0] - patch.begin[0];
    for (int k = patch.begin[2]; k < patch.end[2]; ++k) {
        for (int j = first; j < end; ++j) {
            const std::ptrdiff_t n_before =
                patch.n_rows() * (k - patch.begin[2]) + j - patch.begin[1];
            double* in_message = message + n_before * n_columns * n_components;
            const Row row = row_of(j, k);
            for (std::ptrdiff_t i = 0; i < n_columns; ++i) {
                for (int m = 0; m < n_components; ++m) {
                    copy(*in_message++, row.first[i * row.per_column + m * row.per_component]);
                }
            }
        }
    }
}

void Neighbours::exchange(Field& u) {
    if (is_thin_) {
        exchange_layers(u, {0, 1});
        exchange_layers(u, {1, 2});
    } else {
        exchange_layers(u, {0, 2});
    }
}

void Neighbours::exchange_layers(Field& u, Range distances) {
    const Range planes = {0, box_.grid[2]};
    std::vector<Request> requests;
    for (Neighbour& side : sides_) {
        const Patch halo = layers(side, true, distances, planes);
        requests.push_back(communicator_.start_receive(
            std::span(side.incoming).first(halo.n_values()), side.rank, halo_tag));
    }
    for (Neighbour& side : sides_) {
        const Patch inside = layers(side, false, distances, planes);
        visit(inside, all_rows, side.outgoing.data(), rows_of(u, inside.begin[0]), copy_out);
        requests.push_back(communicator_.start_send(
            std::span<const double>(side.outgoing).first(inside.n_values()), side.rank, halo_tag));
    }
    communicator_.wait(requests);
    for (Neighbour& side : sides_) {
        const Patch halo = layers(side, true, distances, planes);
        visit(halo, all_rows, side.incoming.data(), rows_of(u, halo.begin[0]), copy_in);
    }
}

void Neighbours::start_sweep(int sign, const std::vector<Range>& chunks) {
    sign_ = sign;
    chunks_ = chunks;
    sends_.clear();
    for (Neighbour& side : sides_) {
        if (side.sign == sign) continue;
        side.receives.clear();
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            side.receives.push_back(communicator_.start_receive(message_of(side, side.incoming, c),
                                                                side.rank, sweep_tag));
        }
    }
}

void Neighbours::receive(std::size_t chunk) {
    for (Neighbour& side : sides_) {
        if (side.sign != sign_) communicator_.wait(side.receives[chunk]);
    }
}

void Neighbours::unpack(Field& v, Range rows, std::size_t chunk) {
    for (Neighbour& side : sides_) {
        if (side.sign == sign_ || side.direction != 0) continue;
        const Patch halo = in_sweep(side, true, chunk);
        visit(halo, rows, message_of(side, side.incoming, chunk).data(), rows_of(v, halo.begin[0]),
              copy_in);
    }
}

void Neighbours::unpack(const Edges& edges, std::size_t chunk) {
    for (Neighbour& side : sides_) {
        if (side.sign == sign_ || side.direction != 1) continue;
        const Patch halo = in_sweep(side, true, chunk);
        visit(halo, all_rows, message_of(side, side.incoming, chunk).data(),
              rows_of(edges, halo.begin[0]), copy_in);
    }
}

void Neighbours::pack(Field& v, Range rows, std::size_t chunk) {
    for (Neighbour& side : sides_) {
        if (side.sign != sign_ || side.direction != 0) continue;
        const Patch inside = in_sweep(side, false, chunk);
        visit(inside, rows, message_of(side, side.outgoing, chunk).data(),
              rows_of(v, inside.begin[0]), copy_out);
    }
}

void Neighbours::pack(const Edges& edges, std::size_t chunk) {
    for (Neighbour& side : sides_) {
        if (side.sign != sign_ || side.direction != 1) continue;
        const Patch inside = in_sweep(side, false, chunk);
        visit(inside, all_rows, message_of(side, side.outgoing, chunk).data(),
              rows_of(edges, inside.begin[0]), copy_out);
    }
}

void Neighbours::send(std::size_t chunk) {
    for (Neighbour& side : sides_) {
        if (side.sign != sign_) continue;
        const std::span<const double> message = message_of(side, side.outgoing, chunk);
        sends_.push_back(communicator_.start_send(message, side.rank, sweep_tag));
    }
}

void Neighbours::finish_sweep() {
    communicator_.wait(sends_);
}

}  // namespace heorot::lu
