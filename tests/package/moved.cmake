# Installs, moves the prefix, and builds and runs a consumer against it that enables C++ only.
include("${CMAKE_CURRENT_LIST_DIR}/step.cmake")

file(REMOVE_RECURSE "${WORK}")
step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed" --config "${BUILD_TYPE}")
file(RENAME "${WORK}/installed" "${WORK}/moved")

foreach(file LICENSE CHANGELOG.md)
  if(NOT EXISTS "${WORK}/moved/share/doc/dolmen/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

if(EXISTS "${BUILD}/bench/dolmen-study")
  step("${WORK}/moved/bin/dolmen-study" list --filter "^fill/")
endif()

# No file of the package names where it was built or first installed.
file(GLOB_RECURSE files "${WORK}/moved/*.cmake" "${WORK}/moved/*.hpp" "${WORK}/moved/*.cuh")
foreach(file IN LISTS files)
  file(STRINGS "${file}" found REGEX "(${BUILD}|${SOURCE}|${WORK})")
  if(found AND NOT file MATCHES "/(kokkos|Kokkos)") # Kokkos records its own build
    message(FATAL_ERROR "${file} names a folder of this machine: ${found}")
  endif()
endforeach()

step("${CMAKE_COMMAND}" -S "${SOURCE}/tests/package/consumer" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
  "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_PREFIX_PATH=${WORK}/moved" "-DCUDAToolkit_ROOT=${TOOLKIT}"
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step("${CMAKE_COMMAND}" --build "${WORK}/build" --config "${BUILD_TYPE}")
step("${WORK}/build/plain")
step("${WORK}/build/consumer")
