// The exchange between zones before every step: values next to their common faces.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/zones/zone_grid.hpp"
#include "harness/array.hpp"
#include "harness/world/communicator.hpp"

namespace heorot::zones {

/// The components of one point: component m is first[m stride].
struct Components {
    double* first;
    Index stride;
};

/// Keeps the faces of a rank's zones and exchanges one message with every rank that owns
/// neighbours.
///
/// Neighbouring zones overlap by one mesh width: the boundary values of a zone are the values that
/// its neighbour has computed next to its own boundary. Points on edges, and on the lowest and the
/// highest plane in z, keep their values. Faces are first collected, of all zones; then each zone
/// may set its boundary when it likes, best when it is in the cache anyway.
/// Source: R. Van der Wijngaart, H. Jin, NAS Parallel Benchmarks, Multi-Zone Versions, NAS-03-010
/// (2003); H. Jin, R. Van der Wijngaart, Performance characteristics of the multi-zone NAS Parallel
/// Benchmarks, IPDPS 2004.
class FaceExchange {
  public:
    /// owner[zone] is the rank that works on it.
    FaceExchange(const ZoneGrid& grid, std::span<const int> owner, int rank);

    /// Collects the boundary values of all zones of this rank. field(zone) gives access to a zone
    /// of this rank: a function of (i, j, k) that returns the Components of a point.
    /// **Collective**: with the ranks that own neighbours.
    template <class Field>
    void collect(const Communicator& ranks, const Field& field);
    /// Sets the boundary values of one zone of this rank to the collected ones.
    template <class At>
    void set_boundary(int zone, const At& at) const;

    /// Messages of one rank in collect().
    std::size_t n_messages() const { return outgoing_.size(); }
    std::size_t n_values_sent() const { return n_values_sent_; }

  private:
    // One face in one direction: the plane of zone `from` next to its boundary on `side` becomes
    // the boundary of zone `to` on the opposite side.
    struct Face {
        int from, to;
        Border side;
        std::size_t n_values;
        std::size_t offset = 0;  // in values_
    };
    // The faces that one message from or to another rank carries.
    struct Message {
        int rank;
        std::size_t offset, n_values;
    };

    // Calls visit(i, j, k) for all points of a plane `depth` inside the boundary on `side`.
    template <class Visit>
    static void for_each_point(const Zone& zone, Border side, Index depth, const Visit& visit);
    template <class At>
    void pack(const Face& face, const At& at);
    static std::vector<Message> lay_out(std::vector<Face>& faces,
                                        const std::function<int(const Face&)>& peer,
                                        std::size_t& end);

    ZoneGrid grid_;
    std::vector<Face> packed_;  // of the zones of this rank, to whatever rank
    std::vector<std::array<std::size_t, 4>> incoming_faces_;  // in values_, by zone and its side
    std::vector<Message> outgoing_, incoming_;
    std::size_t n_values_sent_ = 0;
    std::vector<Request> requests_;
    Array<double> values_;  // of the faces within this rank, sent, received
};

template <class Visit>
void FaceExchange::for_each_point(const Zone& zone, Border side, Index depth, const Visit& visit) {
    const bool across_x = is_across_x(side);
    const Index last = (across_x ? zone.nx : zone.ny) - 1;
    const Index fixed = side == Border::west || side == Border::south ? depth : last - depth;
    for (Index k = 1; k < zone.nz - 1; ++k) {
        if (across_x) {
            for (Index j = 1; j < zone.ny - 1; ++j) visit(fixed, j, k);
        } else {
            for (Index i = 1; i < zone.nx - 1; ++i) visit(i, fixed, k);
        }
    }
}

template <class At>
void FaceExchange::pack(const Face& face, const At& at) {
    double* value = values_.data() + face.offset;
    for_each_point(grid_.zone(face.from), face.side, 1, [&](Index i, Index j, Index k) {
        const Components source = at(i, j, k);
        for (int m = 0; m < flow::n_components; ++m) *value++ = source.first[m * source.stride];
    });
}

template <class At>
void FaceExchange::set_boundary(int zone, const At& at) const {
#pragma omp parallel for schedule(static)
    for (const Border side : borders) {
        const double* value =
            values_.data() +
            incoming_faces_[static_cast<std::size_t>(zone)][static_cast<std::size_t>(side)];
        for_each_point(grid_.zone(zone), side, 0, [&](Index i, Index j, Index k) {
            const Components target = at(i, j, k);
            for (int m = 0; m < flow::n_components; ++m) target.first[m * target.stride] = *value++;
        });
    }
}

template <class Field>
void FaceExchange::collect(const Communicator& ranks, const Field& field) {
    constexpr int tag = 0;
    std::size_t n_requests = 0;
    for (const Message& message : incoming_) {
        requests_[n_requests++] = ranks.start_receive(
            values_.span().subspan(message.offset, message.n_values), message.rank, tag);
    }
#pragma omp parallel for schedule(static)
    for (const Face& face : packed_) pack(face, field(face.from));
    for (const Message& message : outgoing_) {
        const std::span<const double> values = values_.span();
        requests_[n_requests++] =
            ranks.start_send(values.subspan(message.offset, message.n_values), message.rank, tag);
    }
    ranks.wait(std::span<Request>(requests_));
}

}  // namespace heorot::zones
