# `cpack -G DEB` in the build folder makes Debian packages, after everything is built; the tool's needs -DPLAIT_TOOL=ON:
#   libplait-dev   headers, the static library, files for CMake, pkg-config and gdb
#   libplaitX.Y    the shared library; named like its soname, so that two versions can be installed side by side
#   libplait-drop-ins  the libraries that stand for those of OpenBLAS and HPTT, if -DPLAIT_DROP_INS=ON
#   plait          the tool
#   python3-plait  the Python package, if the project has one
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_PACKAGE_NAME plait)
set(CPACK_PACKAGE_VENDOR plait)
set(CPACK_PACKAGE_CONTACT "The authors of plait <plait@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR TGZ)  # set explicitly, so that CPack does not add options for it
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(same_version "(= ${PROJECT_VERSION}-1)")

set(CPACK_COMPONENTS_ALL development)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Tensor memory layouts and reorders: for programs that are compiled")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libplait-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libboost-dev (>= 1.74)")  # for the models of Boost.Hana's concepts

if(TARGET plait_c_shared)
    list(APPEND CPACK_COMPONENTS_ALL library)
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libplait${soname} ${same_version}")
    set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Tensor memory layouts and reorders: the shared library")
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libplait${soname})
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
endif()
if(TARGET plait_hptt)
    list(APPEND CPACK_COMPONENTS_ALL drop_ins)
    set(CPACK_COMPONENT_DROP_INS_DESCRIPTION "Tensor memory layouts and reorders: the functions of OpenBLAS and HPTT")
    set(CPACK_DEBIAN_DROP_INS_PACKAGE_NAME libplait-drop-ins)
    set(CPACK_DEBIAN_DROP_INS_PACKAGE_SECTION libs)
    # Not SHLIBDEPS, which does not find the shared library in the folder of another package.
    set(CPACK_DEBIAN_DROP_INS_PACKAGE_DEPENDS "libplait${soname} ${same_version}, libc6, libstdc++6")
endif()
if(TARGET plait_tool)
    list(APPEND CPACK_COMPONENTS_ALL tool)
    set(CPACK_COMPONENT_TOOL_DESCRIPTION "Shows tensor memory layouts, explains reorders, and moves files of arrays")
    set(CPACK_DEBIAN_TOOL_PACKAGE_NAME plait)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
endif()
if(TARGET plait_c_shared AND EXISTS ${PROJECT_SOURCE_DIR}/python/plait/__init__.py)
    # The folder that Debian's Python searches, which is not the library folder.
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/plait DESTINATION lib/python3/dist-packages COMPONENT python
        FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed)
    list(APPEND CPACK_COMPONENTS_ALL python)
    set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Tensor memory layouts and reorders of NumPy arrays")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-plait)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3-numpy, libplait${soname} (>= ${PROJECT_VERSION})")
endif()
# Installs each package's licence where Debian expects it.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
        RENAME copyright COMPONENT ${component})
endforeach()
include(CPack)
