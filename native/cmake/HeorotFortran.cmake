# Kernels in Fortran, if a compiler's code can be linked with C++. Without one, programs omit these
# kernels and nothing else.
#
# CMAKE_Fortran_COMPILER names the compiler; else it is the one that CMake finds. Afterwards
# heorot_fortran is the compiler and its flags for the record, or none, and heorot_fortran_libraries
# the folder of its libraries, if the compiler does not know it.

option(HEOROT_FORTRAN "Build kernels in Fortran, where there is a compiler" ON)
set(HEOROT_FORTRAN_FLAGS "" CACHE STRING
    "Optimisation flags of kernels in Fortran; empty for what the compiler knows of HEOROT_FLAGS")
set(heorot_fortran "none")

# Makes, builds and runs the project fortran/ with what compiler there is. In `folder` is found.cmake
# afterwards if all of that went well. It is a project of its own because in this one a compiler that
# does not work would end everything.
function(heorot_try_fortran folder)
    file(REMOVE_RECURSE "${folder}")
    set(options "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" -DCMAKE_CXX_COMPILER_WORKS=TRUE
        "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DOPENMP_CXX_FLAGS=${OpenMP_CXX_FLAGS}"
        "-DCMAKE_CXX_FLAGS=$CACHE{CMAKE_CXX_FLAGS}")
    if(ARGN)
        list(APPEND options "-DCMAKE_EXE_LINKER_FLAGS=${ARGN}")
    endif()
    if(CMAKE_Fortran_COMPILER)
        list(APPEND options "-DCMAKE_Fortran_COMPILER=${CMAKE_Fortran_COMPILER}")
    endif()
    set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fortran" -B "${folder}"
        -G "${CMAKE_GENERATOR}" ${options})
    set(log "")
    foreach(step configure build run)
        set(build "${CMAKE_COMMAND}" --build "${folder}")
        set(run "${folder}/probe")
        execute_process(COMMAND ${${step}} TIMEOUT 60 RESULT_VARIABLE result
            OUTPUT_VARIABLE said ERROR_VARIABLE said)
        string(APPEND log "${said}\n${step} ended with ${result}\n")
        if(NOT result STREQUAL "0")
            file(REMOVE "${folder}/found.cmake")
            break()
        endif()
    endforeach()
    file(WRITE "${folder}/probe.log" "${log}")
endfunction()

# The folder of flang's libraries, which Debian's flang does not search by itself.
function(heorot_find_fortran_libraries result)
    set(${result} "" PARENT_SCOPE)
    if(CMAKE_Fortran_COMPILER MATCHES "flang")
        find_program(heorot_flang NAMES "${CMAKE_Fortran_COMPILER}" NO_CACHE)
        get_filename_component(real "${heorot_flang}" REALPATH)
        get_filename_component(folder "${real}/../../lib" ABSOLUTE)
        if(EXISTS "${folder}/libFortranRuntime.a")
            set(${result} "${folder}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Flags in groups, each of them with the words that belong to it.
function(heorot_group_flags result flags)
    separate_arguments(words UNIX_COMMAND "${flags}")
    set(groups "")
    set(group "")
    foreach(word IN LISTS words)
        if(group AND (NOT word MATCHES "^-" OR group MATCHES "^(-mllvm|-X[a-z]+)$"))
            string(APPEND group " ${word}")
        else()
            list(APPEND groups ${group})
            set(group "${word}")
        endif()
    endforeach()
    set(${result} ${groups} ${group} PARENT_SCOPE)
endfunction()

# Of some groups of flags, those that the Fortran compiler understands.
function(heorot_known_fortran_flags result)
    include(CheckCompilerFlag)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(known "")
    foreach(flags IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER "heorot_fortran_knows_${flags}" answer)
        check_compiler_flag(Fortran "${flags}" ${answer})
        if(${answer})
            string(APPEND known " ${flags}")
        endif()
    endforeach()
    string(STRIP "${known}" known)
    set(${result} "${known}" PARENT_SCOPE)
endfunction()

# ThreadSanitizer does not see when threads wait for each other in what another compiler made, and
# programs have the run-time library of one compiler's AddressSanitizer only.
if(HEOROT_SANITIZE MATCHES "thread" OR (HEOROT_SANITIZE AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
    set(heorot_with_fortran OFF)
else()
    set(heorot_with_fortran ${HEOROT_FORTRAN})
endif()
if(heorot_with_fortran)
    set(heorot_probe "${CMAKE_CURRENT_BINARY_DIR}/fortran")
    message(CHECK_START "Looking for a Fortran compiler that goes with C++")
    heorot_find_fortran_libraries(heorot_fortran_libraries)
    if(heorot_fortran_libraries)
        set(heorot_link_there "-L${heorot_fortran_libraries}")
    endif()
    # What failed is tried again: the machine may have been too busy, or have another compiler now.
    if(NOT EXISTS "${heorot_probe}/found.cmake")
        heorot_try_fortran("${heorot_probe}" ${heorot_link_there})
    endif()
    include("${heorot_probe}/found.cmake" OPTIONAL)
    if(heorot_fortran_compiler)
        message(CHECK_PASS "${heorot_fortran_compiler}")
    else()
        message(CHECK_FAIL "none, see ${heorot_probe}/probe.log")
        set(heorot_with_fortran OFF)
    endif()
endif()
if(heorot_with_fortran)
    set(CMAKE_Fortran_COMPILER "${heorot_fortran_compiler}" CACHE FILEPATH "Fortran compiler" FORCE)
    set(heorot_linker_flags "${CMAKE_EXE_LINKER_FLAGS}")
    string(APPEND CMAKE_EXE_LINKER_FLAGS " ${heorot_link_there}")
    enable_language(Fortran)
    set(CMAKE_EXE_LINKER_FLAGS "${heorot_linker_flags}")
    set(CMAKE_Fortran_FLAGS_RELEASE "")
    if(HEOROT_FORTRAN_FLAGS)
        set(heorot_groups "${HEOROT_FORTRAN_FLAGS}")
    else()
        heorot_group_flags(heorot_groups "${HEOROT_FLAGS}")
    endif()
    # A copy loop must stay a loop here, too.
    if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
        list(APPEND heorot_groups "-fno-tree-loop-distribute-patterns" ${heorot_sanitize_flags})
    else()
        list(APPEND heorot_groups "-mllvm -disable-loop-idiom-all")
    endif()
    heorot_known_fortran_flags(heorot_known_flags ${heorot_groups})
    string(STRIP "${CMAKE_Fortran_FLAGS} ${heorot_known_flags} ${heorot_fortran_openmp}"
        CMAKE_Fortran_FLAGS)
    set(heorot_fortran "${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION}")
    string(APPEND heorot_fortran " ${CMAKE_Fortran_FLAGS}")
endif()
