# Header-only libraries of the tests and the study, from the system or from .deps/include (./dev setup), as INTERFACE
# targets: dolmen_doctest, dolmen_cli11, dolmen_json, dolmen_fmt.

function(dolmen_header_library name header package)
  if(TARGET dolmen_${name})
    return()
  endif()
  find_path(DOLMEN_${name}_DIR "${header}" HINTS "${PROJECT_SOURCE_DIR}/.deps/include")
  mark_as_advanced(DOLMEN_${name}_DIR)
  if(NOT DOLMEN_${name}_DIR)
    message(FATAL_ERROR "<${header}> was not found. './dev setup' brings it, or install ${package} (Debian's name); "
      "-DDOLMEN_BUILD_TESTS=OFF -DDOLMEN_BUILD_BENCH=OFF builds Dolmen without it.")
  endif()
  add_library(dolmen_${name} INTERFACE)
  if(NOT DOLMEN_${name}_DIR MATCHES "^/usr/include/?$") # -isystem /usr/include breaks include_next
    target_include_directories(dolmen_${name} SYSTEM INTERFACE "${DOLMEN_${name}_DIR}")
  endif()
endfunction()

dolmen_header_library(doctest doctest/doctest.h doctest-dev)
dolmen_header_library(cli11 CLI/CLI.hpp libcli11-dev)
dolmen_header_library(json nlohmann/json.hpp nlohmann-json3-dev)
dolmen_header_library(fmt fmt/format.h libfmt-dev)
