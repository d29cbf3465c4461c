// A program's own flags: none, unless the build defines them.
#include "harness/record/own_flags.hpp"

namespace heorot {

const char* own_flags() {
    return "";
}

const char* own_fortran_flags() {
    return "";
}

}  // namespace heorot
