# cmake -DTARGET=... -DARGUMENTS=... -P refused.cmake: calls plait_add_kernels with arguments that it must refuse.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/plait_add_kernels.cmake)
plait_add_kernels(${TARGET} ${ARGUMENTS})
