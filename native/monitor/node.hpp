// The activity of a whole node, as columns of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "monitor/kept_file.hpp"
#include "monitor/parse.hpp"

namespace heorot::monitor {

/// Counters and states of a node. Counters are cumulative, never differences, so that a lost line
/// loses nothing but itself.
class Node {
  public:
    /// `proc` is a /proc, `sys` a /sys.
    Node(const std::string& proc, std::string sys);

    /// Reads all files anew and puts their numbers, each with a space before it, behind `line`.
    void sample(std::string& line);
    /// Names of the numbers of the last sample, each with a space before it. They change when
    /// processors or interfaces come or go.
    const std::string& columns() const { return columns_; }

  private:
    struct Port {
        std::string name;
        std::vector<KeptFile> files;  ///< in the order of Traffic::names; a closed one is zero
    };

    void find_ports();
    void find_disks();
    bool is_physical(const std::string& interface);
    void put(std::string& line, std::string_view column, Number number);
    void put(std::string& line, std::string_view column, std::string_view number);
    void put_processors(std::string& line);
    void put_memory(std::string& line);
    void put_traffic(std::string& line, const Traffic& traffic);
    void put_network(std::string& line);
    void put_ports(std::string& line);
    void put_disks(std::string& line);

    std::string sys_;
    KeptFile stat_file_;
    KeptFile load_file_;
    KeptFile memory_file_;
    KeptFile paging_file_;
    KeptFile network_file_;
    KeptFile disks_file_;
    std::vector<Port> ports_;
    std::vector<std::string> disks_;       ///< whole ones that are real; empty for all but loops
    std::vector<std::string> interfaces_;  ///< that were there when it was last looked
    std::vector<std::string> physical_;    ///< those of them that are adapters, or all
    Stat stat_;
    std::string buffer_;
    std::string columns_;
};

}  // namespace heorot::monitor
