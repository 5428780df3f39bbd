# tier(TIER TARGETS target... TESTS test...) moves tests to the tier `thorough` or `deep`. Only the target plait_TIER
# builds their programs. `ctest -LE TIER` leaves the tier out; `ctest -L TIER` runs only the tier.
foreach(tier thorough deep)
    add_custom_target(plait_${tier})
endforeach()
function(tier tier)
    cmake_parse_arguments(PARSE_ARGV 1 of "" "" "TARGETS;TESTS")
    if(of_TARGETS)
        set_target_properties(${of_TARGETS} PROPERTIES EXCLUDE_FROM_ALL ON)
        add_dependencies(plait_${tier} ${of_TARGETS})
    endif()
    if(of_TESTS)
        set_property(TEST ${of_TESTS} APPEND PROPERTY LABELS ${tier})
    endif()
endfunction()
# left_to_sanitizers(TARGETS target... TESTS test...): the plain build with Clang moves them to the tier `deep`, because the
# build with sanitizers is Clang's too, and runs them. What is in a tier already stays there for the others.
function(left_to_sanitizers)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND NOT CMAKE_CXX_FLAGS_RELEASE MATCHES fsanitize)
        tier(deep ${ARGN})
    endif()
endfunction()
