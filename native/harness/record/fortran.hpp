// Which Fortran compiler made the kernels in Fortran.
#pragma once

#include <string>

namespace heorot {

/// Its name, version and flags, for a program's record; "none" if there was none.
std::string fortran_compiler();

}  // namespace heorot
