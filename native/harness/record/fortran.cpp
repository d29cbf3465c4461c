// The Fortran compiler of the build.
#include "harness/record/fortran.hpp"

#include "harness/record/build_flags.hpp"
#include "harness/record/own_flags.hpp"

namespace heorot {

std::string fortran_compiler() {
    std::string said(build::fortran_and_flags);
    if (said != "none") said += own_fortran_flags();
    return said;
}

}  // namespace heorot
