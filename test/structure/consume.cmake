# cmake -DBUILD=... -DSCRATCH=... -DCONSUMER=... -DCOMPILER=... -P consume.cmake
# Installs plait into a new prefix, and builds and runs a user's project against it.
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "failed: ${ARGV}")
    endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(configure ${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
run(${configure} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build -j 1)
foreach(program consumer_O0 consumer_O2 consumer_c consumer_c_shared mine)
    run(${SCRATCH}/build/${program})
endforeach()
