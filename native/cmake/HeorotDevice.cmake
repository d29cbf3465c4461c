# Kernels for devices such as GPUs, built by a compiler of their own. Without one, programs with
# such kernels are not built.
#
# The compiler makes a shared library of the kernels and of all that they need to run. Programs link
# it and call its functions with C linkage. They may include harness/record/device_compiler.hpp,
# which has compiler and flags for the record.

set(HEOROT_DEVICE_COMPILER "" CACHE STRING "Compiler of kernels for devices; empty for none")
set(HEOROT_DEVICE_FLAGS "-O3" CACHE STRING "Its flags")

if(HEOROT_DEVICE_COMPILER)
    set(heorot_device "${HEOROT_DEVICE_COMPILER} ${HEOROT_DEVICE_FLAGS}")
    string(REPLACE "\\" "\\\\" heorot_device_literal "${heorot_device}")
    string(REPLACE "\"" "\\\"" heorot_device_literal "${heorot_device_literal}")
    configure_file("${PROJECT_SOURCE_DIR}/harness/record/device_compiler.hpp.in"
        "${PROJECT_BINARY_DIR}/harness/record/device_compiler.hpp" @ONLY)
endif()

# add_device_kernels(target folder source...): links a program with kernels for devices; their
# library is put into this folder, next to the program.
function(add_device_kernels target folder)
    set(library "${folder}/libkernels.so")
    separate_arguments(flags UNIX_COMMAND "${HEOROT_DEVICE_FLAGS}")
    # NVIDIA's compiler hands on to that of the host what is for it.
    set(anywhere -fPIC)
    if(HEOROT_DEVICE_COMPILER MATCHES "(^|/)nvcc[^/]*$")
        set(anywhere -Xcompiler=-fPIC)
    endif()
    set(sources ${ARGN})
    list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    set(headers "")
    foreach(source IN LISTS sources)
        get_filename_component(beside "${source}" DIRECTORY)
        file(GLOB found CONFIGURE_DEPENDS "${beside}/*.hpp")
        list(APPEND headers ${found})
    endforeach()
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${library}" VERBATIM
        COMMAND "${HEOROT_DEVICE_COMPILER}" ${flags} ${anywhere} -shared "-I${PROJECT_SOURCE_DIR}"
            -o "${library}" ${sources}
        DEPENDS ${sources} ${headers})
    add_custom_target(${target}_kernels DEPENDS "${library}")
    add_library(${target}_device SHARED IMPORTED)
    set_target_properties(${target}_device PROPERTIES
        IMPORTED_LOCATION "${library}" IMPORTED_NO_SONAME TRUE)
    add_dependencies(${target} ${target}_kernels)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${library}")
    target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}")
    target_link_libraries(${target} PRIVATE ${target}_device)
endfunction()
