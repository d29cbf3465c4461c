# add_benchmark(family/name [NEEDS_MPI] SOURCES file... [NUMERICS]): one program, target family_name,
# output bin/family/name. Every source must exist. NEEDS_MPI: it calls MPI itself, and does not exist
# without. NUMERICS links the shared textbook parts; anything after it is a further library.
function(add_benchmark path)
    cmake_parse_arguments(PARSE_ARGV 1 arg "NEEDS_MPI" "" "SOURCES;NUMERICS")
    get_filename_component(family "${path}" DIRECTORY)
    get_filename_component(name "${path}" NAME)
    if(NOT family OR NOT arg_SOURCES)
        message(FATAL_ERROR "add_benchmark needs family/name and SOURCES, got '${path}'")
    endif()
    foreach(source IN LISTS arg_SOURCES)
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
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME "${name}"
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${family}")
endfunction()
