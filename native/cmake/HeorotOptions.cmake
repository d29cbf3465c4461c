# What a builder may choose: MPI, flags, sanitizers, warnings, tests.
option(HEOROT_WITH_MPI "Build the programs for MPI (MPI_CXX_COMPILER says which)" OFF)
option(HEOROT_MPI_LINKED "Programs look for MPI behind a link called mpi in the build directory" OFF)
set(HEOROT_SANITIZE OFF CACHE STRING "Sanitizers to build with: address,undefined or thread")
# The build server sets HEOROT_WERROR in the environment, so that all its builds have the same flags.
option(HEOROT_WERROR "Many warnings, all of them errors" "$ENV{HEOROT_WERROR}")
option(HEOROT_TESTS "Build the native tests" ON)
option(HEOROT_BENCHMARKS "Build the programs; without, what their tests need of them" ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15))
    message(FATAL_ERROR "Heorot needs g++ >= 12 or clang++ >= 15, and this is "
        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}: give -DCMAKE_CXX_COMPILER another")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON) # a build may be moved
