# cmake -DBUILD=... -DSCRATCH=... -DCONSUMER=... -DCOMPILER=... [-DSUBDIRECTORY=project] -P consume.cmake
# Installs plait into a new prefix, or takes it as a subdirectory, and builds and runs a user's project against it.
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "failed: ${ARGV}")
    endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(configure ${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER})
if(SUBDIRECTORY)
    run(${configure} -DPLAIT_SOURCE=${SUBDIRECTORY})
else()
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
    run(${configure} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
    run(${CMAKE_COMMAND} --build ${SCRATCH}/build -j 1)
    run(${SCRATCH}/build/consumer_O0)
    run(${SCRATCH}/build/consumer_O2)
    run(${SCRATCH}/build/consumer_c)
    run(${SCRATCH}/build/consumer_c_shared)
endif()
