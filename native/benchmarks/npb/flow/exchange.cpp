// Packing, sending and unpacking of ghost layers.
#include "benchmarks/npb/flow/exchange.hpp"

#include <algorithm>

namespace heorot::flow {

namespace {

/// A part of a field's points in local indices.
struct Region {
    Extent begin, end;

    std::size_t n_values() const {
        std::size_t n = n_components;
        for (std::size_t d = 0; d < 3; ++d) n *= static_cast<std::size_t>(end[d] - begin[d]);
        return n;
    }
};

/// The layers next to one side of a box: its own points, or the ghosts beyond.
Region layers(const Box& box, int d, Side side, bool ghosts) {
    Region region = {{0, 0, 0}, {box.size(0), box.size(1), box.size(2)}};
    const auto in_d = static_cast<std::size_t>(d);
    const int n = box.size(d);
    const int begin = side == Side::lower ? (ghosts ? -n_ghosts : 0) : (ghosts ? n : n - n_ghosts);
    region.begin[in_d] = begin;
    region.end[in_d] = begin + n_ghosts;
    return region;
}

/// Calls action(field's address, n) for every row of the region, in a fixed order.
template <class AnyField, class Action>
void for_rows(AnyField& field, const Region& region, const Action& action) {
    const int n = region.end[0] - region.begin[0];
    for (int m = 0; m < n_components; ++m) {
        for (int k = region.begin[2]; k < region.end[2]; ++k) {
            for (int j = region.begin[1]; j < region.end[1]; ++j) {
                action(field.component(m) + field.layout().at(region.begin[0], j, k), n);
            }
        }
    }
}

double* pack(const Field& field, const Region& region, double* to) {
    for_rows(field, region, [&](const double* row, int n) { to = std::copy_n(row, n, to); });
    return to;
}

const double* unpack(const double* from, const Region& region, Field& field) {
    for_rows(field, region, [&](double* row, int n) {
        std::copy_n(from, n, row);
        from += n;
    });
    return from;
}

// Messages upwards and downwards may be for the same rank: their tags differ.
int tag(int d, Side side_of_sender) {
    return 2 * d + static_cast<int>(side_of_sender);
}

Side opposite(Side side) {
    return side == Side::lower ? Side::upper : Side::lower;
}

}  // namespace

GhostExchange::GhostExchange(const Multipartition& partition) : partition_(partition) {
    for (int d = 0; d < 3; ++d) {
        for (const Side side : both_sides) {
            Message message = {d, side, {}, {}, {}};
            std::size_t n_values = 0;
            for (int s = 0; s < partition.n_slabs(d); ++s) {
                for (const int t : partition.slab(d, s)) {
                    const Box& box = partition.tiles()[static_cast<std::size_t>(t)].box;
                    if (box.has_wall(d, side)) continue;
                    message.tiles.push_back(t);
                    n_values += layers(box, d, side, false).n_values();
                }
            }
            if (message.tiles.empty()) continue;
            message.outgoing = Array<double>(n_values);
            message.incoming = Array<double>(n_values);
            messages_.push_back(std::move(message));
        }
    }
    requests_.resize(2 * messages_.size());
}

void GhostExchange::start(std::span<const Field> fields, const Communicator& communicator) {
    auto request = requests_.begin();
    for (Message& message : messages_) {
        const int rank = partition_.neighbour(message.d, message.side);
        *request++ = communicator.start_receive(message.incoming.span(), rank,
                                                tag(message.d, opposite(message.side)));
    }
    for (Message& message : messages_) {
        double* to = message.outgoing.data();
        for (const int t : message.tiles) {
            const Field& field = fields[static_cast<std::size_t>(t)];
            to = pack(field, layers(field.box(), message.d, message.side, false), to);
        }
        const int rank = partition_.neighbour(message.d, message.side);
        *request++ = communicator.start_send(std::span<const double>(message.outgoing.span()), rank,
                                             tag(message.d, message.side));
    }
}

void GhostExchange::finish(std::span<Field> fields, const Communicator& communicator) {
    communicator.wait(requests_);
    for (const Message& message : messages_) {
        const double* from = message.incoming.data();
        for (const int t : message.tiles) {
            Field& field = fields[static_cast<std::size_t>(t)];
            from = unpack(from, layers(field.box(), message.d, message.side, true), field);
        }
    }
}

}  // namespace heorot::flow
