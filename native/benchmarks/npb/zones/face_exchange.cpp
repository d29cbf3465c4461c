// Which faces stay on a rank, and which travel in which message.
#include "benchmarks/npb/zones/face_exchange.hpp"

#include <algorithm>
#include <utility>

namespace heorot::zones {

FaceExchange::FaceExchange(const ZoneGrid& grid, std::span<const int> owner, int rank)
    : grid_(grid), incoming_faces_(static_cast<std::size_t>(grid.n_zones())) {
    const auto owner_of = [&](int zone) { return owner[static_cast<std::size_t>(zone)]; };
    std::vector<Face> within, sent, received;
    for (int zone = 0; zone < grid.n_zones(); ++zone) {
        for (const Border side : borders) {
            const int next = grid.neighbour(zone, side);
            const Face face = {
                zone, next, side,
                static_cast<std::size_t>(flow::n_components * grid.n_face_points(zone, side))};
            const bool is_from_here = owner_of(zone) == rank;
            const bool is_to_here = owner_of(next) == rank;
            if (is_from_here && is_to_here) within.push_back(face);
            if (is_from_here && !is_to_here) sent.push_back(face);
            if (is_to_here && !is_from_here) received.push_back(face);
        }
    }
    std::size_t end = 0;
    lay_out(within, [&](const Face&) { return rank; }, end);
    const std::size_t start_of_sent = end;
    outgoing_ = lay_out(sent, [&](const Face& face) { return owner_of(face.to); }, end);
    n_values_sent_ = end - start_of_sent;
    incoming_ = lay_out(received, [&](const Face& face) { return owner_of(face.from); }, end);

    const auto note_arrival = [&](const Face& face) {
        incoming_faces_[static_cast<std::size_t>(face.to)]
                       [static_cast<std::size_t>(opposite(face.side))] = face.offset;
    };
    std::ranges::for_each(within, note_arrival);
    std::ranges::for_each(received, note_arrival);
    packed_ = std::move(within);
    packed_.insert(packed_.end(), sent.begin(), sent.end());
    requests_.resize(outgoing_.size() + incoming_.size());
    values_ = Array<double>(end);
}

// Both borders of a message go through the faces in order of sending zone and side, so that they
// agree where each face lies in it.
std::vector<FaceExchange::Message> FaceExchange::lay_out(
    std::vector<Face>& faces, const std::function<int(const Face&)>& peer, std::size_t& end) {
    std::ranges::stable_sort(faces, {}, peer);
    std::vector<Message> messages;
    for (Face& face : faces) {
        if (messages.empty() || messages.back().rank != peer(face)) {
            messages.push_back({peer(face), end, 0});
        }
        face.offset = end;
        end += face.n_values;
        messages.back().n_values += face.n_values;
    }
    return messages;
}

}  // namespace heorot::zones
