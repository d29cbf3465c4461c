// Pencils: the cut that costs least, halos of u, and edges of v on their way through a sweep.
#include "benchmarks/npb/lu/pencils.hpp"

#include <algorithm>

namespace heorot::lu {

namespace {

constexpr int n_components = 5;
constexpr int halo_tag = 1;
constexpr int sweep_tag = 2;

int first_point(int n, int n_parts, int part) {
    return static_cast<int>(static_cast<std::int64_t>(n) * part / n_parts);
}

/// Steps that the slowest rank makes in a plane, empty lanes included.
int cost(const Extent& grid, const PencilGrid& pencils) {
    int most = 0;
    for (int rank = 0; rank < pencils.nx * pencils.ny; ++rank) {
        const Layout layout(with_halo(pencils.box(grid, rank)));
        most = std::max(most, layout.n_blocks() * layout.n_steps());
    }
    return most;
}

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
    Side side;
    side.rank = rank + sign * (direction == 0 ? 1 : pencils.nx);
    side.direction = static_cast<std::size_t>(direction);
    side.sign = sign;
    side.outgoing.resize(n_values);
    side.incoming.resize(n_values);
    sides_.push_back(std::move(side));
}

std::size_t Neighbours::Patch::n_values() const {
    std::size_t n = n_components;
    for (std::size_t d = 0; d < 3; ++d) n *= static_cast<std::size_t>(end[d] - begin[d]);
    return n;
}

/// The layers of points at some distances from the face to a neighbour, outside the pencil (from 1
/// on) or inside it (from 0 on); fewer if the grid ends there.
Neighbours::Patch Neighbours::layers(const Side& side, bool in_halo, Range distances,
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

/// Where the message of a chunk begins in the side's memory: all chunks have a place of their own.
std::size_t Neighbours::offset_of(const Side& side, std::size_t chunk) const {
    return layers(side, false, {0, 1}, {0, chunks_[chunk].first}).n_values();
}

/// Calls visit(place in the message, i, j, k) for those points of a patch that are in some rows.
template <class Visit>
void Neighbours::visit(const Patch& patch, Range rows, Visit visit) {
    const std::ptrdiff_t per_row = std::ptrdiff_t{n_components} * (patch.end[0] - patch.begin[0]);
    std::ptrdiff_t row = 0;
    for (int k = patch.begin[2]; k < patch.end[2]; ++k) {
        for (int j = patch.begin[1]; j < patch.end[1]; ++j, ++row) {
            if (j < rows.first || j >= rows.end) continue;
            std::ptrdiff_t place = row * per_row;
            for (int i = patch.begin[0]; i < patch.end[0]; ++i, place += n_components) {
                visit(place, i, j, k);
            }
        }
    }
}

void Neighbours::copy_out(const Field& field, const Patch& patch, Range rows, double* message) {
    visit(patch, rows, [&](std::ptrdiff_t place, int i, int j, int k) {
        for (int m = 0; m < n_components; ++m) message[place + m] = field.at(m, i, j, k);
    });
}

void Neighbours::copy_in(const double* message, const Patch& patch, Range rows, Field& field) {
    visit(patch, rows, [&](std::ptrdiff_t place, int i, int j, int k) {
        for (int m = 0; m < n_components; ++m) field.at(m, i, j, k) = message[place + m];
    });
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
    const Range all_rows = {0, box_.grid[1]};
    std::vector<Request> requests;
    for (Side& side : sides_) {
        const Patch halo = layers(side, true, distances, planes);
        requests.push_back(communicator_.start_receive(
            std::span(side.incoming).first(halo.n_values()), side.rank, halo_tag));
    }
    for (Side& side : sides_) {
        const Patch inside = layers(side, false, distances, planes);
        copy_out(u, inside, all_rows, side.outgoing.data());
        requests.push_back(communicator_.start_send(
            std::span<const double>(side.outgoing).first(inside.n_values()), side.rank, halo_tag));
    }
    communicator_.wait(requests);
    for (Side& side : sides_) {
        copy_in(side.incoming.data(), layers(side, true, distances, planes), all_rows, u);
    }
}

void Neighbours::start_sweep(int sign, const std::vector<Range>& chunks) {
    sign_ = sign;
    chunks_ = chunks;
    sends_.clear();
    for (Side& side : sides_) {
        if (side.sign == sign) continue;
        side.receives.clear();
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            const std::size_t n_values = layers(side, true, {0, 1}, chunks[c]).n_values();
            const std::span<double> all(side.incoming);
            side.receives.push_back(communicator_.start_receive(
                all.subspan(offset_of(side, c), n_values), side.rank, sweep_tag));
        }
    }
}

void Neighbours::receive(std::size_t chunk) {
    for (Side& side : sides_) {
        if (side.sign != sign_) communicator_.wait(side.receives[chunk]);
    }
}

void Neighbours::unpack(Field& v, Range rows, std::size_t chunk) const {
    for (const Side& side : sides_) {
        if (side.sign == sign_) continue;
        const Patch halo = layers(side, true, {0, 1}, chunks_[chunk]);
        copy_in(side.incoming.data() + offset_of(side, chunk), halo, rows, v);
    }
}

void Neighbours::pack(const Field& v, Range rows, std::size_t chunk) {
    for (Side& side : sides_) {
        if (side.sign != sign_) continue;
        const Patch inside = layers(side, false, {0, 1}, chunks_[chunk]);
        copy_out(v, inside, rows, side.outgoing.data() + offset_of(side, chunk));
    }
}

void Neighbours::send(std::size_t chunk) {
    for (const Side& side : sides_) {
        if (side.sign != sign_) continue;
        const std::size_t n_values = layers(side, false, {0, 1}, chunks_[chunk]).n_values();
        const std::span<const double> all(side.outgoing);
        sends_.push_back(communicator_.start_send(all.subspan(offset_of(side, chunk), n_values),
                                                  side.rank, sweep_tag));
    }
}

void Neighbours::finish_sweep() {
    communicator_.wait(sends_);
}

}  // namespace heorot::lu
