// A folder of a test's own, with files as the kernel would have them.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace heorot::tests {

/// Is there while the object is.
class Folder {
  public:
    explicit Folder(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                ("heorot-" + name + '-' + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    std::string path(const std::string& inside = "") const { return path_ / inside; }

    /// Writes a file anew; one that is open elsewhere stays the same file.
    void write(const std::string& inside, std::string_view text) const {
        std::filesystem::create_directories((path_ / inside).parent_path());
        std::ofstream(path_ / inside, std::ios::binary) << text;
    }
    void remove(const std::string& inside) const { std::filesystem::remove_all(path_ / inside); }

    /// All of a file; empty if it is not there.
    std::string text(const std::string& inside) const { return text_of(path_ / inside); }

    static std::string text_of(const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

  private:
    std::filesystem::path path_;
};

}  // namespace heorot::tests
