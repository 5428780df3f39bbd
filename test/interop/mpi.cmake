# Programs that mpirun starts on several ranks of this machine. Without MPI they are left out.
include(${PROJECT_SOURCE_DIR}/cmake/run_on_ranks.cmake)
if(NOT TARGET MPI::MPI_CXX)
    message(STATUS "interop: MPI is not there; plait/interop/mpi.hpp is not tested, nor north star 13")
    return()
endif()

# add_mpi_program(NAME SOURCE)
function(add_mpi_program name source)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/..)
    target_link_libraries(${name} PRIVATE plait::plait plait_warnings MPI::MPI_CXX)
    target_compile_options(${name} PRIVATE -O1)
endfunction()

add_mpi_program(northstar_13_distribution ${CMAKE_CURRENT_SOURCE_DIR}/../northstar/13_distribution.cpp)
add_test_on_ranks(northstar.13_distribution northstar_13_distribution 4)

add_mpi_program(interop_mpi mpi.cpp)
target_link_libraries(interop_mpi PRIVATE doctest::doctest Threads::Threads)
set(numbers_of_ranks 1 3 4)
if(CMAKE_CXX_FLAGS_RELEASE MATCHES fsanitize)
    set(numbers_of_ranks 1 3)  # more ranks than cores wait for each other
endif()
foreach(ranks ${numbers_of_ranks})
    add_test_on_ranks(interop.mpi_on_${ranks} interop_mpi ${ranks})
endforeach()

# A rank that is killed ends the program with an error.
add_mpi_program(interop_mpi_killed mpi_killed.cpp)
add_test_on_ranks(interop.mpi_killed interop_mpi_killed 4)
set_tests_properties(interop.mpi_killed PROPERTIES TIMEOUT 60 PASS_REGULAR_EXPRESSION "signal 9")

# With Clang, the sanitizers run these.
set(tests interop.mpi_killed)
foreach(ranks ${numbers_of_ranks})
    list(APPEND tests interop.mpi_on_${ranks})
endforeach()
left_to_sanitizers(TARGETS interop_mpi interop_mpi_killed TESTS ${tests})

# More than 2^31 bytes from one rank to another.
add_mpi_program(interop_mpi_large mpi_large.cpp)
add_test_on_ranks(interop.mpi_large interop_mpi_large 2)
tier(deep TARGETS interop_mpi_large TESTS interop.mpi_large)
