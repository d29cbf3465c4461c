// A grid cut into pencils along z, one per rank, and the exchange between neighbouring pencils.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/npb/lu/field.hpp"
#include "benchmarks/npb/lu/scratch.hpp"
#include "harness/world/communicator.hpp"

namespace heorot::lu {

/// Numbers of pencils in x and y; ranks are numbered along x first.
struct PencilGrid {
    int nx, ny;

    /// The cut for `n_ranks` whose largest pencil takes the least time; none if some rank would be
    /// left without a point.
    static std::optional<PencilGrid> best(const Extent& grid, int n_ranks);
    /// The closest rank count to `n_ranks` for which there is one; the smaller one of two.
    static int nearest_that_fits(const Extent& grid, int n_ranks);
    /// The points of a rank.
    Box box(const Extent& grid, int rank) const;
};

/// Messages between a pencil and its up to four neighbours: the halo of u, two points deep, and in
/// a sweep, for some planes at a time, v of the column, and the contributions of the row, at the
/// edge. Packing and unpacking is for the threads that compute the rows, all else for the main
/// thread.
class Neighbours {
  public:
    /// `communicator` has the ranks that the pencil grid numbers, and must live as long.
    Neighbours(const PencilGrid& pencils, const Extent& grid, const Communicator& communicator);

    const Box& box() const { return box_; }
    bool exist() const { return !sides_.empty(); }
    /// Whether there is one with larger (sign 1) or smaller (-1) j.
    bool has_row(int sign) const;

    /// Fills the halo of u from the neighbours. **Collective** over the ranks of the grid.
    void exchange(Field& u);

    /// A sweep begins, towards larger (sign 1) or smaller (-1) i and j; `chunks` are its planes in
    /// order. **Collective** over the neighbours, as are receive and send.
    void start_sweep(int sign, const std::vector<Range>& chunks);
    /// Waits for the received values of a chunk.
    void receive(std::size_t chunk);
    /// Copies received values of some rows into the halo of v next to these.
    void unpack(Field& v, Range rows, std::size_t chunk);
    /// Copies the values of some rows that are to be sent.
    void pack(Field& v, Range rows, std::size_t chunk);
    /// The same for contributions of the row before the pencil's first one, and of its last one.
    void unpack(const Edges& edges, std::size_t chunk);
    void pack(const Edges& edges, std::size_t chunk);
    void send(std::size_t chunk);
    /// Waits until all messages are sent.
    void finish_sweep();

  private:
    /// A box-shaped set of points.
    struct Patch {
        Extent begin, end;
        int n_rows() const;
        std::size_t n_values() const;
    };
    /// A neighbour, with room for two layers of points that go to it and come from it.
    struct Neighbour {
        int rank = 0;
        std::size_t direction = 0;  // x or y
        int sign = 0;               // -1: the neighbour has the smaller indices
        std::vector<double> outgoing, incoming;
        std::vector<Request> receives;
    };

    void add_side(const PencilGrid& pencils, int direction, int sign);
    Patch layers(const Neighbour& side, bool in_halo, Range distances, Range planes) const;
    void exchange_layers(Field& u, Range distances);
    Patch in_sweep(const Neighbour& side, bool in_halo, std::size_t chunk) const;
    std::span<double> message_of(const Neighbour& side, std::vector<double>& all,
                                 std::size_t chunk) const;
    template <class RowOf, class Copy>
    static void visit(const Patch& patch, Range rows, double* message, RowOf row_of, Copy copy);

    Box box_;
    bool is_thin_;  // somewhere a pencil has one point only: its neighbours' halos reach beyond it
    const Communicator& communicator_;
    std::vector<Neighbour> sides_;
    int sign_ = 0;  // of the sweep that runs
    std::vector<Range> chunks_;
    std::vector<Request> sends_;
};

}  // namespace heorot::lu
