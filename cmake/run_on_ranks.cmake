# Tests of programs that mpirun starts on several ranks of this machine.
include_guard()
find_package(MPI QUIET COMPONENTS CXX)

# add_test_on_ranks(NAME PROGRAM RANKS), if the target MPI::MPI_CXX is there
function(add_test_on_ranks name program ranks)
    add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${program}>)
    # Open MPI starts more ranks than there are cores, and by root, if it is told so; version 5 by a variable of PRRTE.
    # It never frees some memory.
    set(told OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
        PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe ASAN_OPTIONS=detect_leaks=0)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 PROCESSORS 2 ENVIRONMENT "${told}")
endfunction()
