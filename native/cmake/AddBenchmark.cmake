# How programs are declared.
include(HeorotDevice)
include(OwnFlags)

# add_benchmark(family/name [NEEDS_MPI] SOURCES file... [NUMERICS]): one program, target family_name,
# output bin/family/name. Every source must exist. NEEDS_MPI: it calls MPI itself, and does not exist
# without. NUMERICS links the shared textbook parts; anything after it is a further library.
# FORTRAN kernels.f90 INSTEAD none.cpp: kernels in Fortran, and what stands there without a compiler.
# DEVICE kernels.cpp...: kernels for devices; without a compiler of these the program does not exist.
function(add_benchmark path)
    cmake_parse_arguments(PARSE_ARGV 1 arg "NEEDS_MPI" "FORTRAN;INSTEAD"
        "SOURCES;DEVICE;NUMERICS")
    get_filename_component(family "${path}" DIRECTORY)
    get_filename_component(name "${path}" NAME)
    if(NOT family OR NOT arg_SOURCES)
        message(FATAL_ERROR "add_benchmark needs family/name and SOURCES, got '${path}'")
    endif()
    foreach(source IN LISTS arg_SOURCES arg_FORTRAN arg_INSTEAD arg_DEVICE)
        if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
            message(FATAL_ERROR "benchmark ${path}: its source ${source} is missing")
        endif()
    endforeach()
    if(NOT HEOROT_BENCHMARKS OR (arg_NEEDS_MPI AND NOT HEOROT_WITH_MPI)
       OR (arg_DEVICE AND NOT HEOROT_DEVICE_COMPILER))
        return()
    endif()
    set(target "${family}_${name}")
    add_executable(${target} ${arg_SOURCES})
    if("NUMERICS" IN_LIST ARGN)
        list(PREPEND arg_NUMERICS numerics)
    endif()
    if(arg_FORTRAN)
        add_fortran_kernels(${target} "${arg_FORTRAN}" "${arg_INSTEAD}")
    endif()
    if(arg_DEVICE)
        add_device_kernels(${target} "${PROJECT_BINARY_DIR}/bin/${path}.device" ${arg_DEVICE})
    endif()
    add_own_flags(${target} ${path} arg_NUMERICS)
    target_link_libraries(${target} PRIVATE harness heorot_warnings ${arg_NUMERICS})
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
        target_link_directories(${target} PRIVATE ${heorot_fortran_libraries})
    else()
        target_sources(${target} PRIVATE "${instead}")
    endif()
endfunction()
