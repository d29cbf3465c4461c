# Compiler flags. HEOROT_FLAGS alone decides about optimisation; all flags that shape the code are recorded.

set(HEOROT_FLAGS "-O3 -march=native" CACHE STRING "Optimisation flags of every program")
set(HEOROT_PROGRAM_FLAGS "" CACHE STRING
    "Further flags of some programs: a list of family/name=flags or family/*=flags")

# A copy loop must stay a loop: compilers like to turn it into memcpy with streaming stores, which is another operation.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(heorot_loop_flags "-fno-tree-loop-distribute-patterns")
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang|IntelLLVM")
    # The linker call gets them too, and clang would warn that it does not use them there.
    set(heorot_loop_flags "-mllvm -disable-loop-idiom-all -Wno-unused-command-line-argument")
endif()

# CMake's own per-configuration flags would be invisible in the record.
set(CMAKE_CXX_FLAGS_RELEASE "")
string(STRIP "${CMAKE_CXX_FLAGS} ${HEOROT_FLAGS} ${heorot_loop_flags}" heorot_recorded_flags)
if(HEOROT_SANITIZE)
    # What AddressSanitizer finds anyway is not looked for twice: it takes a third of the build.
    set(heorot_sanitize_flags -g1 -fno-omit-frame-pointer -fsanitize=${HEOROT_SANITIZE}
        -fno-sanitize-recover=undefined -fno-sanitize=null,object-size)
    list(JOIN heorot_sanitize_flags " " heorot_words)
    # The library's own checks see what leaves a span and lands in the slack of its array.
    string(APPEND heorot_recorded_flags " ${heorot_words} -D_GLIBCXX_ASSERTIONS")
endif()
set(CMAKE_CXX_FLAGS "${heorot_recorded_flags}")

# OpenMP is used wherever the compiler has it; the record has the number of threads.
find_package(OpenMP COMPONENTS CXX)
if(OpenMP_CXX_FOUND)
    string(APPEND heorot_recorded_flags " ${OpenMP_CXX_FLAGS}")
endif()

add_library(heorot_warnings INTERFACE)
if(HEOROT_WERROR)
    target_compile_options(heorot_warnings INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Werror>"
        "$<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Werror>")
    if(NOT OpenMP_CXX_FOUND)
        target_compile_options(heorot_warnings INTERFACE
            "$<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-pragmas>")
    endif()
endif()
