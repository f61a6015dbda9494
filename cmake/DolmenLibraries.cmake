# Header-only libraries of the tests and the study, from the system or from .deps/include (./dev setup), as INTERFACE
# targets: dolmen_doctest, dolmen_cli11, dolmen_json, dolmen_fmt. Tests or study are left out where theirs are missing.

# Adds to the list DOLMEN_MISSING where there is no such header.
function(dolmen_header_library name header package)
  if(TARGET dolmen_${name})
    return()
  endif()
  find_path(DOLMEN_${name}_DIR "${header}" HINTS "${PROJECT_SOURCE_DIR}/.deps/include")
  mark_as_advanced(DOLMEN_${name}_DIR)
  if(NOT DOLMEN_${name}_DIR)
    set(DOLMEN_MISSING ${DOLMEN_MISSING} "<${header}> (Debian: ${package})" PARENT_SCOPE)
    return()
  endif()
  add_library(dolmen_${name} INTERFACE)
  if(NOT DOLMEN_${name}_DIR MATCHES "^/usr/include/?$") # -isystem /usr/include breaks include_next
    target_include_directories(dolmen_${name} SYSTEM INTERFACE "${DOLMEN_${name}_DIR}")
  endif()
endfunction()

# A variable of this directory hides the option, which stays as the user has it for the day that the library is there.
macro(dolmen_leave_out option what)
  if(DOLMEN_MISSING)
    list(JOIN DOLMEN_MISSING ", " dolmen_missing)
    message(WARNING "Dolmen: ${what} left out, since this was not found: ${dolmen_missing}. "
      "'./dev setup' brings header-only libraries; -D${option}=OFF says that it is meant.")
    set(${option} OFF)
  endif()
endmacro()

if(DOLMEN_BUILD_TESTS)
  set(DOLMEN_MISSING "")
  dolmen_header_library(doctest doctest/doctest.h doctest-dev)
  dolmen_leave_out(DOLMEN_BUILD_TESTS "the tests are")
endif()
if(DOLMEN_BUILD_BENCH AND NOT DOLMEN_HAS_CHECK) # whose kernels run slowly on purpose
  set(DOLMEN_MISSING "")
  dolmen_header_library(cli11 CLI/CLI.hpp libcli11-dev)
  dolmen_header_library(json nlohmann/json.hpp nlohmann-json3-dev)
  dolmen_header_library(fmt fmt/format.h libfmt-dev)
  find_package(OpenMP COMPONENTS CXX)
  if(NOT OpenMP_CXX_FOUND)
    list(APPEND DOLMEN_MISSING "OpenMP of ${CMAKE_CXX_COMPILER} (Debian, for clang: libomp-dev)")
  endif()
  dolmen_leave_out(DOLMEN_BUILD_BENCH "the study is")
endif()
