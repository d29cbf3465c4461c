// Third-party libraries that are loaded at run time: missing ones are omitted, and another one is
// measured without a new build.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heorot::libraries {

/// Shared libraries, opened together; they stay in memory until the program ends.
class Library {
  public:
    /// Opens `names`, files or what the system finds by itself (`libblas.so.3`), with colons
    /// between them. Throws UsageError, which names `option`, if one does not open.
    Library(std::string_view option, std::string_view names);

    /// The function of that name, of the library named first that has it; null if none has.
    template <class Function>
    Function* find(const std::string& name) const {
        return reinterpret_cast<Function*>(address(name));
    }
    /// The name of the file that the function is from; empty if unknown.
    std::string origin(const std::string& name) const;

  private:
    void* address(const std::string& name) const;

    std::vector<void*> handles_;
};

/// Name and version of the library of C++, such as `libstdc++ 12 (20220819)`.
std::string standard_library();

/// Whether the system finds a library of that name, which then is open.
bool is_there(const char* name);

/// The value of a variable of the environment, or `fallback`.
std::string environment(const char* name, const char* fallback);

}  // namespace heorot::libraries
