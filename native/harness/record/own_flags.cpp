// Flags of a program of its own: none, unless the build says otherwise.
#include "harness/record/own_flags.hpp"

namespace heorot {

const char* own_flags() {
    return "";
}

const char* own_fortran_flags() {
    return "";
}

}  // namespace heorot
