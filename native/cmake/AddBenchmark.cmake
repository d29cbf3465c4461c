# add_benchmark(family/name [NEEDS_MPI] SOURCES file... [NUMERICS]): one program, target family_name,
# output bin/family/name. Every source must exist. NEEDS_MPI: it calls MPI itself, and does not exist
# without. NUMERICS links the shared textbook parts; anything after it is a further library.
# FORTRAN kernels.f90 INSTEAD none.cpp: kernels in Fortran, and what stands there without a compiler.
function(add_benchmark path)
    cmake_parse_arguments(PARSE_ARGV 1 arg "NEEDS_MPI" "FORTRAN;INSTEAD" "SOURCES;NUMERICS")
    get_filename_component(family "${path}" DIRECTORY)
    get_filename_component(name "${path}" NAME)
    if(NOT family OR NOT arg_SOURCES)
        message(FATAL_ERROR "add_benchmark needs family/name and SOURCES, got '${path}'")
    endif()
    foreach(source IN LISTS arg_SOURCES arg_FORTRAN arg_INSTEAD)
        if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
            message(FATAL_ERROR "benchmark ${path}: its source ${source} is missing")
        endif()
    endforeach()
    if(NOT HEOROT_BENCHMARKS OR (arg_NEEDS_MPI AND NOT HEOROT_WITH_MPI))
        return()
    endif()
    set(target "${family}_${name}")
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE harness heorot_warnings)
    if("NUMERICS" IN_LIST ARGN)
        target_link_libraries(${target} PRIVATE numerics ${arg_NUMERICS})
    endif()
    if(arg_FORTRAN)
        add_fortran_kernels(${target} "${arg_FORTRAN}" "${arg_INSTEAD}")
    endif()
    add_own_flags(${target} ${path})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME "${name}"
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${family}")
endfunction()

# Gives a program its kernels in Fortran, or what stands for them. A node on which it runs needs not
# have the libraries of Fortran unless the kernels do.
function(add_fortran_kernels target kernels instead)
    if(CMAKE_Fortran_COMPILER_LOADED)
        target_sources(${target} PRIVATE "${kernels}")
        target_link_options(${target} PRIVATE "LINKER:--as-needed")
    else()
        target_sources(${target} PRIVATE "${instead}")
    endif()
endfunction()

# Gives a program the flags that HEOROT_PROGRAM_FLAGS has for it, after those of all, and has its record
# say so.
function(add_own_flags target path)
    get_filename_component(family "${path}" DIRECTORY)
    set(own_flags "")
    foreach(entry IN LISTS HEOROT_PROGRAM_FLAGS)
        if(entry MATCHES "^(${family}/[*]|${path})=(.*)$")
            string(APPEND own_flags " ${CMAKE_MATCH_2}")
        endif()
    endforeach()
    string(STRIP "${own_flags}" own_flags)
    if(NOT own_flags)
        return()
    endif()
    separate_arguments(words UNIX_COMMAND "${own_flags}")
    target_compile_options(${target} PRIVATE ${words})
    string(REPLACE "\\" "\\\\" own_flags_literal "${own_flags}")
    string(REPLACE "\"" "\\\"" own_flags_literal "${own_flags_literal}")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/own_flags.cpp.in"
        "${CMAKE_CURRENT_BINARY_DIR}/${target}_flags.cpp" @ONLY)
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${target}_flags.cpp")
endfunction()
