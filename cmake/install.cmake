# Rules of `cmake --install`: the headers, the C library, the tool with its manual page and completion if it is built,
# the CMake package and pkg-config files. Components are the packages of packages.cmake: development, library, tool.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plait)
set(templates ${PROJECT_SOURCE_DIR}/cmake)

install(TARGETS plait_headers EXPORT plait-cxx-targets
    FILE_SET HEADERS COMPONENT development
    FILE_SET inline_parts COMPONENT development
    FILE_SET c_headers COMPONENT development)
install(EXPORT plait-cxx-targets NAMESPACE plait:: DESTINATION ${package_dir} COMPONENT development)
if(TARGET plait_c)
    set(libraries plait_c)
    if(TARGET plait_c_shared)
        list(APPEND libraries plait_c_shared)
    endif()
    install(TARGETS ${libraries} EXPORT plait-c-targets
        ARCHIVE COMPONENT development
        LIBRARY COMPONENT library NAMELINK_COMPONENT development
        RUNTIME COMPONENT library)  # a DLL
    install(EXPORT plait-c-targets NAMESPACE plait:: DESTINATION ${package_dir} COMPONENT development)
endif()
if(TARGET plait_hptt)
    # In a folder of its own: HPTT's header has the same name.
    install(TARGETS plait_omatcopy plait_hptt EXPORT plait-drop_ins-targets
        LIBRARY COMPONENT drop_ins NAMELINK_COMPONENT drop_ins
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/plait_hptt COMPONENT drop_ins)
    install(EXPORT plait-drop_ins-targets NAMESPACE plait:: DESTINATION ${package_dir} COMPONENT drop_ins)
endif()
if(TARGET plait_tool)
    install(TARGETS plait_tool RUNTIME COMPONENT tool)
    get_target_property(texts plait_tool plait_texts)
    if(texts)
        install(FILES ${texts}/plait.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
        install(FILES ${texts}/plait.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME plait
            COMPONENT tool)
        # Debian's zsh reads packages' completions from a folder of its own.
        set(zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
        if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
            set(zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
        endif()
        install(FILES ${texts}/plait.zsh DESTINATION ${zsh_dir} RENAME _plait COMPONENT tool)
    endif()
endif()

# A headers-only package supports every CPU.
set(sizeof_void_p ${CMAKE_SIZEOF_VOID_P})
if(NOT TARGET plait_c)
    set(sizeof_void_p)
endif()
configure_file(${templates}/plait-config-version.cmake.in plait-config-version.cmake @ONLY)
configure_package_config_file(${templates}/plait-config.cmake.in plait-config.cmake
    INSTALL_DESTINATION ${package_dir} NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/plait-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/plait-config-version.cmake
        ${templates}/plait_add_kernels.cmake
    DESTINATION ${package_dir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/plait_gdb.py ${PROJECT_SOURCE_DIR}/packaging/plait.natvis
        ${PROJECT_SOURCE_DIR}/packaging/plait.imp
    DESTINATION ${CMAKE_INSTALL_DATADIR}/plait COMPONENT development)

# pkg-config: the prefix is computed from the location of the file, so that an installed tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${pkgconfig_dir})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} OUTPUT_VARIABLE up)
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(dir INCLUDEDIR LIBDIR)
    set(pc_${dir} ${CMAKE_INSTALL_${dir}})
    if(NOT IS_ABSOLUTE ${pc_${dir}})
        set(pc_${dir} "\${prefix}/${pc_${dir}}")
    endif()
endforeach()
set(modules plait)
set(pc_library)
if(TARGET plait_c)
    # By file name: -lplait selects the shared library if that is installed too, and it exports only C functions.
    set(pc_library "\${libdir}/libplait.a")
    list(APPEND modules plait-c plait-c-static)
    get_target_property(cxx_runtime plait_c plait_cxx_runtime)
    list(TRANSFORM cxx_runtime PREPEND -l)
    list(JOIN cxx_runtime " " cxx_runtime)
endif()
foreach(module ${modules})
    configure_file(${templates}/${module}.pc.in ${module}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${module}.pc DESTINATION ${pkgconfig_dir} COMPONENT development)
endforeach()
