# Reads the headers that most sources need once for all of them, which takes a quarter off a build.

# Gives the libraries and programs of a directory, and of those below it, the headers compiled for the
# harness: those that use it and are compiled with its flags.
function(share_headers directory)
    get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(linked ${target} LINK_LIBRARIES)
        get_target_property(own ${target} COMPILE_OPTIONS)
        if(linked MATCHES "harness|numerics|_parts" AND NOT own AND NOT linked MATCHES "vector_functions")
            target_precompile_headers(${target} REUSE_FROM harness)
        endif()
    endforeach()
    get_property(below DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
    foreach(each IN LISTS below)
        share_headers("${each}")
    endforeach()
endfunction()

# A compiler's cache knows sources by the headers they name, and shares more. Every source names all
# that it needs: such builds, which have no headers but those, would fail.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(harness PRIVATE
        <algorithm> <array> <atomic> <cmath> <functional> <limits> <memory> <numeric> <optional>
        <span> <string> <string_view> <utility> <vector> "${PROJECT_SOURCE_DIR}/harness/program.hpp")
    share_headers("${PROJECT_SOURCE_DIR}")
endif()
