// Flags that a program is compiled with besides those of all programs.
#pragma once

namespace heorot {

/// Defined here for most programs as empty, and by the build anew for a program that has some: what
/// a program defines itself is not looked for in the library.
const char* own_flags();

/// Those of them that its Fortran compiler understands.
const char* own_fortran_flags();

}  // namespace heorot
