# Installs libraries, headers and the package file. Nothing in it holds a path of this machine.

include(CMakePackageConfigHelpers)
set(DOLMEN_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/dolmen")

add_library(dolmen INTERFACE)
add_library(dolmen::dolmen ALIAS dolmen)
foreach(backend IN LISTS DOLMEN_BACKENDS)
  target_link_libraries(dolmen INTERFACE dolmen::${backend})
  list(APPEND dolmen_installed dolmen_${backend})
endforeach()

install(TARGETS dolmen dolmen_kernel_flags dolmen_core ${dolmen_installed} EXPORT dolmen-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT dolmen-targets NAMESPACE dolmen:: DESTINATION "${DOLMEN_PACKAGE_DIR}")

install(DIRECTORY "${DOLMEN_INSTALL_SHIMS}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
set(header_folders core algorithms)
foreach(backend IN LISTS DOLMEN_BACKENDS)
  list(APPEND header_folders backends/${backend})
endforeach()
foreach(folder IN LISTS header_folders)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/dolmen/impl/${folder}"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
endforeach()

# A static library leaves Kokkos and Highway to whoever links it.
set(DOLMEN_PACKAGE_NEEDS_KOKKOS ${DOLMEN_HAS_CPU})
set(DOLMEN_PACKAGE_NEEDS_HIGHWAY 0)
if(DOLMEN_HAS_CPU AND DOLMEN_HAS_HIGHWAY)
  set(DOLMEN_PACKAGE_NEEDS_HIGHWAY 1)
endif()
if(BUILD_SHARED_LIBS)
  set(DOLMEN_PACKAGE_NEEDS_KOKKOS 0)
  set(DOLMEN_PACKAGE_NEEDS_HIGHWAY 0)
endif()
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/dolmen-config.cmake.in" "${PROJECT_BINARY_DIR}/dolmen-config.cmake"
  INSTALL_DESTINATION "${DOLMEN_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dolmen-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/dolmen-config.cmake" "${PROJECT_BINARY_DIR}/dolmen-config-version.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/DolmenKernels.cmake" "${PROJECT_SOURCE_DIR}/backends/cuda/language.cmake"
  DESTINATION "${DOLMEN_PACKAGE_DIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/dolmen")
