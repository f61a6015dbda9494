# Writes what users include, <dolmen/...>: headers of a line or a few that lead to the real ones, whose includes among
# each other are relative. One tree for this build, one to be installed (relative, into dolmen/impl). In a build folder inside the
# sources the first is relative too: the same text in every checkout, so that a compiler cache filled by one serves another.

set(DOLMEN_SHIMS "${PROJECT_BINARY_DIR}/include/dolmen")
set(DOLMEN_INSTALL_SHIMS "${PROJECT_BINARY_DIR}/install-include/dolmen")

file(GLOB DOLMEN_CORE_HEADERS CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/core/*.hpp")
file(GLOB DOLMEN_ALGORITHM_HEADERS CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/algorithms/*.hpp")

# By real paths: ".." behind a symbolic link leads elsewhere.
get_filename_component(real_sources "${PROJECT_SOURCE_DIR}" REALPATH)
get_filename_component(real_build "${PROJECT_BINARY_DIR}" REALPATH)
string(FIND "${real_build}/" "${real_sources}/" DOLMEN_BUILT_INSIDE)
if(DOLMEN_BUILT_INSIDE EQUAL 0)
  set(DOLMEN_BUILT_INSIDE ON)
else()
  set(DOLMEN_BUILT_INSIDE OFF)
endif()

# dolmen_shim(core/view.hpp core/view.hpp): <dolmen/core/view.hpp> includes the files named; what begins with # is text.
function(dolmen_shim name)
  set_property(GLOBAL APPEND PROPERTY DOLMEN_SHIM_NAMES ${name})
  string(REGEX MATCHALL "/" depth "${name}")
  set(up "")
  foreach(level IN LISTS depth)
    string(APPEND up "../")
  endforeach()
  get_filename_component(folder "${DOLMEN_SHIMS}/${name}" DIRECTORY)
  set(sources "${PROJECT_SOURCE_DIR}")
  if(DOLMEN_BUILT_INSIDE)
    file(RELATIVE_PATH sources "${folder}" "${PROJECT_SOURCE_DIR}")
  endif()
  set(tree "#pragma once\n#include <dolmen/default_backend.hpp>\n")
  set(installed "${tree}")
  foreach(file IN LISTS ARGN)
    if(file MATCHES "^#")
      string(SUBSTRING "${file}" 1 -1 text)
      string(APPEND tree "${text}\n")
      string(APPEND installed "${text}\n")
    else()
      string(APPEND tree "#include \"${sources}/${file}\"\n")
      string(APPEND installed "#include \"${up}impl/${file}\"\n")
    endif()
  endforeach()
  dolmen_write("${DOLMEN_SHIMS}/${name}" "${tree}")
  dolmen_write("${DOLMEN_INSTALL_SHIMS}/${name}" "${installed}")
endfunction()

# Leaves a file alone that holds the text already, so that nothing is rebuilt.
function(dolmen_write path text)
  file(CONFIGURE OUTPUT "${path}" CONTENT "${text}" @ONLY)
endfunction()

function(dolmen_default_backend_header)
  set(text "#pragma once\n\n")
  foreach(backend CPU CUDA CHECK)
    string(APPEND text "#define DOLMEN_HAS_${backend} ${DOLMEN_HAS_${backend}}\n")
  endforeach()
  string(APPEND text "\n#define DOLMEN_VERSION_MAJOR ${PROJECT_VERSION_MAJOR}\n#define DOLMEN_VERSION_MINOR ${PROJECT_VERSION_MINOR}\n"
    "#define DOLMEN_VERSION_PATCH ${PROJECT_VERSION_PATCH}\n#define DOLMEN_VERSION_STRING \"${PROJECT_VERSION}\"\n"
    "\nnamespace dolmen {\nnamespace ${DOLMEN_BACKEND} {\nstruct backend;\n}\n"
    "using default_backend = ${DOLMEN_BACKEND}::backend;\n}  // namespace dolmen\n")
  dolmen_write("${DOLMEN_SHIMS}/default_backend.hpp" "${text}")
  dolmen_write("${DOLMEN_INSTALL_SHIMS}/default_backend.hpp" "${text}")
endfunction()

function(dolmen_all_shims)
  dolmen_default_backend_header()
  foreach(header IN LISTS DOLMEN_CORE_HEADERS)
    dolmen_shim(${header} ${header})
  endforeach()
  dolmen_shim(core/pool/memory_pool.hpp core/pool/memory_pool.hpp) # heavy, and of no use to programs
  set(backend_headers "")
  foreach(backend IN LISTS DOLMEN_BACKENDS)
    if(EXISTS "${PROJECT_SOURCE_DIR}/backends/${backend}/backend.hpp")
      dolmen_shim(${backend}.hpp backends/${backend}/backend.hpp)
      list(APPEND backend_headers backends/${backend}/backend.hpp)
    endif()
  endforeach()
  set(algorithm_headers "")
  foreach(header IN LISTS DOLMEN_ALGORITHM_HEADERS)
    get_filename_component(file ${header} NAME)
    set(parts ${header})
    foreach(backend IN LISTS DOLMEN_BACKENDS)
      if(EXISTS "${PROJECT_SOURCE_DIR}/backends/${backend}/${file}")
        list(APPEND parts backends/${backend}/${file})
      endif()
    endforeach()
    dolmen_shim(${header} ${parts})
    list(APPEND algorithm_headers ${parts})
  endforeach()
  set(handles "#\nnamespace dolmen {"
    "#using stream = default_backend::stream\\\\;"
    "#using event = default_backend::event\\\\;"
    "#using device = default_backend::device\\\\;"
    "#}  // namespace dolmen\n")
  dolmen_shim(dolmen.hpp ${DOLMEN_CORE_HEADERS} ${backend_headers} ${handles} ${algorithm_headers})
endfunction()

dolmen_all_shims()
