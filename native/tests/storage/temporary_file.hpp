// A file of a test, gone with the object.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "benchmarks/storage/files/calls.hpp"
#include "tests/testing.hpp"

namespace heorot::tests {

/// In a directory of its own, at first not there.
class TemporaryFile {
  public:
    TemporaryFile() {
        std::string path = (std::filesystem::temp_directory_path() / "heorot_file_XXXXXX").string();
        CHECK(mkdtemp(path.data()) != nullptr);
        path_ = path;
        directory_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        close(directory_);
        std::filesystem::remove_all(path_);
    }
    files::File open(int flags, files::Trouble& trouble) const {
        return {directory_, "file", flags, trouble};
    }
    int directory() const { return directory_; }
    std::string path() const { return path_ + "/file"; }

  private:
    std::string path_;
    int directory_ = -1;
};

}  // namespace heorot::tests
