# Functions of whole vectors, which the GNU C library has in libmvec for some processors.
#
# HEOROT_VECTOR_FUNCTIONS, defined in programs that link vector_functions, is 0 for none; 1 for exp,
# log, sin, cos and pow; 2 also for tan, atan, cbrt and erf. x86-64 has them since versions 2.22 and
# 2.35, aarch64 has all since 2.40, pow and erf last.
include(CheckLibraryExists)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(heorot_two_doubles "_ZGVnN2")
else()
    set(heorot_two_doubles "_ZGVbN2")
endif()
check_library_exists(mvec ${heorot_two_doubles}vv_pow "" heorot_has_vector_pow)
check_library_exists(mvec ${heorot_two_doubles}v_erf "" heorot_has_vector_erf)

add_library(vector_functions INTERFACE)
if(heorot_has_vector_pow AND heorot_has_vector_erf)
    target_compile_definitions(vector_functions INTERFACE HEOROT_VECTOR_FUNCTIONS=2)
    target_link_libraries(vector_functions INTERFACE mvec)
elseif(heorot_has_vector_pow)
    target_compile_definitions(vector_functions INTERFACE HEOROT_VECTOR_FUNCTIONS=1)
    target_link_libraries(vector_functions INTERFACE mvec)
else()
    target_compile_definitions(vector_functions INTERFACE HEOROT_VECTOR_FUNCTIONS=0)
endif()
