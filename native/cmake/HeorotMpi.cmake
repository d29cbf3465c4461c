# MPI through its C API only; the caller names the wrapper compiler in MPI_CXX_COMPILER.
if(HEOROT_WITH_MPI AND HEOROT_MPI_LINKED)
    # Programs are moved with their build, and MPI with a copy of Heorot.
    string(PREPEND CMAKE_EXE_LINKER_FLAGS "-Wl,-rpath,'$ORIGIN/../../mpi/lib' ")
endif()
if(HEOROT_WITH_MPI AND MPI_CXX_COMPILER MATCHES " ")
    # A wrapper prints its paths without quotes, which is useless for paths with a space. These are
    # then the folders next to it, as in the wheels.
    get_filename_component(heorot_mpi_prefix "${MPI_CXX_COMPILER}" DIRECTORY)
    get_filename_component(heorot_mpi_prefix "${heorot_mpi_prefix}" DIRECTORY)
    add_library(MPI::MPI_CXX INTERFACE IMPORTED)
    target_include_directories(MPI::MPI_CXX INTERFACE "${heorot_mpi_prefix}/include")
    target_link_libraries(MPI::MPI_CXX INTERFACE "${heorot_mpi_prefix}/lib/libmpi.so")
    set(MPIEXEC_EXECUTABLE "${heorot_mpi_prefix}/bin/mpiexec" CACHE FILEPATH "Launcher")
    set(MPIEXEC_NUMPROC_FLAG "-n" CACHE STRING "Launcher's option for the number of ranks")
elseif(HEOROT_WITH_MPI)
    set(MPI_CXX_SKIP_MPICXX ON)
    # Several MPIs may share a machine: the launcher must be in the folder of the wrapper compiler.
    if(MPI_CXX_COMPILER AND NOT MPIEXEC_EXECUTABLE)
        get_filename_component(heorot_mpi_folder "${MPI_CXX_COMPILER}" DIRECTORY)
        get_filename_component(heorot_mpi_wrapper "${MPI_CXX_COMPILER}" NAME)
        string(REGEX REPLACE "^mpi(cxx|CC|c\\+\\+|icpc|icpx)" "mpiexec" heorot_mpi_launcher
            "${heorot_mpi_wrapper}")
        if(EXISTS "${heorot_mpi_folder}/${heorot_mpi_launcher}")
            set(MPIEXEC_EXECUTABLE "${heorot_mpi_folder}/${heorot_mpi_launcher}" CACHE FILEPATH
                "The launcher of this MPI")
        endif()
    endif()
    find_package(MPI REQUIRED COMPONENTS CXX)
endif()
