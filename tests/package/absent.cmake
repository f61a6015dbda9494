# Without the libraries that are not needed the configure step succeeds, says what it leaves out, and does. OFF hides a library as if
# it were not installed.
include("${CMAKE_CURRENT_LIST_DIR}/step.cmake")
function(expect)
  string(REGEX REPLACE "[ \n]+" " " text "${text}") # CMake folds the lines of a warning
  foreach(expected IN LISTS ARGN)
    if(NOT text MATCHES "${expected}")
      message(FATAL_ERROR "not said: ${expected}\n${text}")
    endif()
  endforeach()
endfunction()

set(configure "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" -DDOLMEN_ENABLE_CUDA=OFF
  -DDOLMEN_BUILD_EXAMPLES=OFF)
file(REMOVE_RECURSE "${WORK}")
# A standard that the project chooses may be newer than those that Kokkos knows.
step(${configure} -DCMAKE_CXX_STANDARD=23 -DDOLMEN_fmt_DIR=OFF -DDOLMEN_cli11_DIR=OFF -DDOLMEN_OPENBLAS=OFF -DDOLMEN_DOXYGEN=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON)
expect("the study is left out, since this was not found: <CLI/CLI.hpp> .Debian: libcli11-dev., <fmt/format.h> .Debian: libfmt-dev.")
file(STRINGS "${WORK}/tests/CTestTestfile.cmake" sums REGEX "sum/cpu")
if(NOT sums OR EXISTS "${WORK}/bench/CMakeFiles")
  message(FATAL_ERROR "the tests or the folder of the study are not as they should be")
endif()

step(${configure} -UDOLMEN_fmt_DIR -UDOLMEN_cli11_DIR -DDOLMEN_doctest_DIR=OFF)
expect("the tests are left out, since this was not found: <doctest/doctest.h>" "the study has no OpenBLAS to compare with")
if(NOT EXISTS "${WORK}/bench/CMakeFiles")
  message(FATAL_ERROR "the study is left out too")
endif()

if(GENERATOR STREQUAL "Ninja") # all configurations in one folder
  step("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/multi" -G "Ninja Multi-Config" "-DCMAKE_CXX_COMPILER=${CXX}" -DDOLMEN_BACKEND=check)
  expect("Debug Release RelWithDebInfo")
endif()
