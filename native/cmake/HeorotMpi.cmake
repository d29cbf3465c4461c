# MPI through its C API only; the caller names the wrapper compiler in MPI_CXX_COMPILER.
if(HEOROT_WITH_MPI)
    set(MPI_CXX_SKIP_MPICXX ON)
    # Several MPIs may share a machine: the launcher must be the one beside the wrapper compiler.
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
