// Reading the counters of network interfaces.
#include "harness/measure/traffic.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace heorot {

namespace {

namespace fs = std::filesystem;

// The InfiniBand architecture counts data in units of four octets.
constexpr std::int64_t port_unit_bytes = 4;

/// Nothing of a folder that cannot be read.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator each(folder, error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
        names.push_back(each->path().filename().string());
    }
    return names;
}

/// None if the file is missing or states that there is no counter.
std::optional<std::int64_t> counter(const fs::path& file) {
    std::ifstream stream(file);
    std::int64_t value = 0;
    if (stream >> value) return value;
    return std::nullopt;
}

void look_at(std::vector<Carried>& all, std::string name, const fs::path& sent,
             const fs::path& received, std::int64_t unit_bytes) {
    const auto out = counter(sent);
    const auto in = counter(received);
    if (out && in) all.push_back({std::move(name), unit_bytes * *out, unit_bytes * *in});
}

}  // namespace

std::vector<Carried> carried_so_far(const std::string& classes) {
    std::vector<Carried> all;
    const fs::path interfaces = fs::path(classes) / "net";
    for (const std::string& name : names_in(interfaces)) {
        if (name == "lo") continue;
        const fs::path counters = interfaces / name / "statistics";
        look_at(all, name, counters / "tx_bytes", counters / "rx_bytes", 1);
    }
    const fs::path adapters = fs::path(classes) / "infiniband";
    for (const std::string& adapter : names_in(adapters)) {
        for (const std::string& port : names_in(adapters / adapter / "ports")) {
            const fs::path counters = adapters / adapter / "ports" / port / "counters";
            std::string name = adapter;
            name.append(":").append(port);
            look_at(all, std::move(name), counters / "port_xmit_data", counters / "port_rcv_data",
                    port_unit_bytes);
        }
    }
    return all;
}

std::vector<Carried> carried_between(std::span<const Carried> before,
                                     std::span<const Carried> after) {
    std::vector<Carried> between;
    for (const Carried& now : after) {
        const auto then = std::find_if(before.begin(), before.end(), [&](const Carried& each) {
            return each.interface == now.interface;
        });
        if (then == before.end()) continue;
        const std::int64_t sent = now.sent_bytes - then->sent_bytes;
        const std::int64_t received = now.received_bytes - then->received_bytes;
        if (sent < 0 || received < 0 || sent + received == 0) continue;
        between.push_back({now.interface, sent, received});
    }
    return between;
}

}  // namespace heorot
