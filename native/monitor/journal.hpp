// The file that samples are written to: whole lines, each of them out at once.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace heorot::monitor {

/// The file cannot be written, or another monitor writes it.
class JournalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Appends lines to a file.
class Journal {
  public:
    /// Throws JournalError.
    explicit Journal(const std::string& path);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    /// Writes a line, given without its end, in one piece. A line that finds no space is lost, and
    /// the next one begins a line of its own. On a network file system each line is synchronised at
    /// once: unsynchronised data die with the node.
    void write(std::string_view line);

  private:
    int descriptor_ = -1;
    bool is_remote_ = false;
    bool is_torn_ = false;  ///< the file ends in the middle of a line
    std::string piece_;
};

}  // namespace heorot::monitor
