// Opens third-party libraries.
#include "numerics/libraries/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "harness/record/check.hpp"

namespace heorot::libraries {

Library::Library(std::string_view option, std::string_view names) {
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find(':', begin), names.size());
        const std::string name(names.substr(begin, end - begin));
        void* const handle = name.empty() ? nullptr : dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            throw UsageError("--" + std::string(option) + ": '" + name + "' does not open",
                             "name a shared library that is there, or none");
        }
        handles_.push_back(handle);
        begin = end + 1;
    }
}

void* Library::address(const std::string& name) const {
    for (void* const handle : handles_) {
        if (void* const found = dlsym(handle, name.c_str())) return found;
    }
    return nullptr;
}

std::string Library::origin(const std::string& name) const {
    Dl_info known{};
    void* const found = address(name);
    if (found == nullptr || dladdr(found, &known) == 0 || known.dli_fname == nullptr) return {};
    const std::string_view path = known.dli_fname;
    return std::string(path.substr(path.rfind('/') + 1));
}

std::string standard_library() {
#if defined(_LIBCPP_VERSION)
    return "libc++ " + std::to_string(_LIBCPP_VERSION);
#else
    return "libstdc++ " + std::to_string(_GLIBCXX_RELEASE) + " (" + std::to_string(__GLIBCXX__) +
           ")";
#endif
}

bool is_there(const char* name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL) != nullptr;
}

std::string environment(const char* name, const char* fallback) {
    const char* const said = std::getenv(name);
    return said == nullptr || *said == '\0' ? fallback : said;
}

}  // namespace heorot::libraries
