# Takes the fenced blocks out of a page and writes source files of them.
#
# A ```cpp block is a whole program (it has a main), or the line before it says in an HTML comment what it is:
#   <!-- test: declarations -->        code at namespace scope; later blocks of the page may use it
#   <!-- test: statements -->          code in a function that has stream, n, host, in, out (snippets.hpp)
#   <!-- test: block -->               code at block scope of a kernel that has in, out and mem.staged; it is launched
#   ... for cuda -->                   the same, compiled where the CUDA backend is built; likewise for cpu, for check
#   ... fails[ in check]: TEXT -->     the same, which must not compile (in check mode), and the compiler must say TEXT
#   <!-- test: block finds KIND -->    a block with a mistake, of which the check backend must report KIND and nothing else
#   <!-- test: program with kokkos --> a whole program that uses Kokkos itself; `with doctest` likewise
#   <!-- test: example NAME -->        lines of examples/NAME.cpp, as they stand there
#   <!-- test: file NAME -->           a file of the projects on this page
# A ```cmake block is a CMakeLists.txt, marked <!-- test: project -->, and builds with the files of its page; without any, its
# app.cpp is the page's first program. A ```yaml block is a GitHub workflow, whose commands workflow.py runs. ```console blocks
# may use only commands, presets and examples that exist; ```text is free.

# Sets `line` to the number of the line at which `position` stands.
function(dolmen_line_at text position line)
  string(SUBSTRING "${text}" 0 ${position} before)
  string(REGEX REPLACE "[^\n]" "" newlines "${before}")
  string(LENGTH "${newlines}" count)
  math(EXPR count "${count} + 1")
  set(${line} ${count} PARENT_SCOPE)
endfunction()

# The code of a block in a list is indented like the list.
function(dolmen_unindent code indent result)
  string(REPLACE "\n${indent}" "\n" code "\n${code}")
  string(SUBSTRING "${code}" 1 -1 code)
  set(${result} "${code}" PARENT_SCOPE)
endfunction()

# Calls dolmen_snippet(page line language marker code) for every block of the page.
function(dolmen_each_snippet page)
  file(READ "${PROJECT_SOURCE_DIR}/${page}" text)
  set(text "\n${text}")
  set(offset 0)
  while(TRUE)
    string(SUBSTRING "${text}" ${offset} -1 rest)
    if(NOT rest MATCHES "\n( *)```([a-z]*)\n")
      break()
    endif()
    set(fence "${CMAKE_MATCH_0}")
    set(indent "${CMAKE_MATCH_1}")
    set(language "${CMAKE_MATCH_2}")
    string(FIND "${rest}" "${fence}" begin)
    string(LENGTH "${fence}" length)
    string(SUBSTRING "${rest}" 0 ${begin} before)
    set(marker "")
    if(before MATCHES "\n *<!-- test: ([^\n]*) -->$")
      set(marker "${CMAKE_MATCH_1}")
    endif()
    math(EXPR code_begin "${begin} + ${length}")
    string(SUBSTRING "${rest}" ${code_begin} -1 after)
    string(FIND "\n${after}" "\n${indent}```" code_length)
    math(EXPR position "${offset} + ${code_begin}")
    dolmen_line_at("${text}" ${position} line)
    math(EXPR line "${line} - 1") # the newline put in front
    if(code_length EQUAL -1 OR language STREQUAL "")
      message(FATAL_ERROR "${page}:${line}: a block without a language or without an end")
    endif()
    string(SUBSTRING "${after}" 0 ${code_length} code)
    dolmen_unindent("${code}" "${indent}" code)
    dolmen_snippet("${page}" ${line} ${language} "${marker}" "${code}")
    string(LENGTH "${indent}" indent_length)
    math(EXPR offset "${position} + ${code_length} + ${indent_length} + 3") # behind the closing fence
  endwhile()
endfunction()

function(dolmen_snippet page line language marker code)
  string(MAKE_C_IDENTIFIER "${page}" stem)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${stem}")
  set(place "#line ${line} \"${page}\"\n")
  if(language STREQUAL "cpp" AND marker STREQUAL "" AND code MATCHES "int main\\(")
    set(marker "program")
  endif()

  set(wanted TRUE) # in this build
  if(marker MATCHES "^(.*) for (cpu|cuda|check)(.*)$")
    set(marker "${CMAKE_MATCH_1}${CMAKE_MATCH_3}")
    string(TOUPPER "${CMAKE_MATCH_2}" backend)
    set(wanted ${DOLMEN_HAS_${backend}})
  endif()
  if(marker STREQUAL "program with kokkos")
    set(wanted ${DOLMEN_HAS_CPU})
  endif()
  set(fails "")
  if(marker MATCHES "^(.*) fails( in check)?: (.*)$")
    set(marker "${CMAKE_MATCH_1}")
    set(fails "${CMAKE_MATCH_3}")
    if(CMAKE_MATCH_2 AND NOT DOLMEN_HAS_CHECK)
      set(fails "")
    endif()
  endif()

  set(finds "")
  if(marker MATCHES "^(block) finds ([a-z_]+)$")
    set(marker "${CMAKE_MATCH_1}")
    if(DOLMEN_HAS_CHECK)
      set(finds "${CMAKE_MATCH_2}")
    endif()
  endif()

  if(language STREQUAL "cpp" AND marker MATCHES "^file ([a-z_]+\\.[ch]pp)$")
    dolmen_write("${dir}/project/${CMAKE_MATCH_1}" "${place}${code}")
  elseif(language STREQUAL "cpp" AND marker MATCHES "^program( with (kokkos|doctest))?$")
    if(wanted)
      dolmen_write("${dir}/program_${line}.cpp" "${place}${code}")
      set_property(GLOBAL APPEND PROPERTY DOLMEN_PAGE_PROGRAMS "${page}|${line}|${CMAKE_MATCH_2}")
    endif()
  elseif(language STREQUAL "cpp" AND marker MATCHES "^example ([a-z_]+)$")
    dolmen_find_in_example("${page}:${line}" ${CMAKE_MATCH_1} "${code}")
  elseif(language STREQUAL "cpp" AND marker MATCHES "^(declarations|statements|block)$")
    dolmen_wrap(${marker} ${line} "${place}${code}" wrapped call)
    if(wanted AND fails)
      dolmen_write("${dir}/fails_${line}.cpp" "#include \"snippets.hpp\"\n${wrapped}\nvoid use() { ${call} }\n")
      set_property(GLOBAL APPEND PROPERTY DOLMEN_PAGE_FAILS "${page}|${line}|${fails}")
    elseif(wanted)
      if(finds)
        set(call "with_finding(dolmen::check::kind::${finds}, [] { ${call} });")
      endif()
      set_property(GLOBAL APPEND_STRING PROPERTY DOLMEN_CODE_${stem} "${wrapped}\n")
      set_property(GLOBAL APPEND_STRING PROPERTY DOLMEN_CALLS_${stem} "  ${call}\n")
    endif()
  elseif(language STREQUAL "cmake" AND marker STREQUAL "project")
    dolmen_write("${dir}/project_${line}/CMakeLists.txt" "${code}")
    set_property(GLOBAL APPEND PROPERTY DOLMEN_PAGE_PROJECTS "${page}|${line}")
  elseif(language STREQUAL "yaml")
    dolmen_write("${dir}/workflow_${line}.yml" "${code}")
    set_property(GLOBAL APPEND PROPERTY DOLMEN_PAGE_WORKFLOWS "${page}|${line}")
  elseif(language STREQUAL "console")
    dolmen_check_console("${page}:${line}" "${code}")
  elseif(NOT language STREQUAL "text")
    message(FATAL_ERROR "${page}:${line}: no test knows what to do with this ${language} block (marker '${marker}'); "
      "see tests/docs/snippets.cmake")
  endif()
endfunction()

# Puts the code where it belongs: `wrapped` goes to namespace scope, `call` runs it.
function(dolmen_wrap kind line code wrapped call)
  set(${call} "" PARENT_SCOPE)
  if(kind STREQUAL "declarations")
    set(${wrapped} "${code}" PARENT_SCOPE)
  elseif(kind STREQUAL "statements")
    set(${wrapped} "void statements_${line}(DOLMEN_SNIPPET_PARAMETERS) {\n{\n${code}}\n}\n" PARENT_SCOPE)
    set(${call} "run_statements(statements_${line});" PARENT_SCOPE)
  else()
    set(${wrapped} "struct block_${line} {
  using shape = dolmen::block_shape<256>;
  struct shared { dolmen::tile<float, 256> staged; };
  dolmen::view<float const> in;
  dolmen::view<float> out;
  template <class Block>
  DOLMEN_FN void operator()([[maybe_unused]] Block& block, [[maybe_unused]] shared& mem) const {\n{\n${code}}\n}\n};\n" PARENT_SCOPE)
    set(${call} "run_block<block_${line}>();" PARENT_SCOPE)
  endif()
endfunction()

function(dolmen_find_in_example place example code)
  set(file "${PROJECT_SOURCE_DIR}/examples/${example}.cpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  string(FIND "${text}" "${code}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${place}: these lines are not in examples/${example}.cpp")
  endif()
endfunction()

function(dolmen_check_console place code)
  file(READ "${PROJECT_SOURCE_DIR}/dev" dev)
  file(READ "${PROJECT_SOURCE_DIR}/CMakePresets.json" presets)
  string(REGEX MATCHALL "\\$ [^\n]+" commands "${code}")
  foreach(command IN LISTS commands)
    set(known TRUE)
    if(command MATCHES "^\\$ \\./dev ([a-z]+)")
      if(NOT dev MATCHES "\\./dev ([a-z]+ \\| )?${CMAKE_MATCH_1}( |\n)")
        set(known FALSE)
      endif()
    elseif(command MATCHES "^\\$ (DOLMEN_CHECK=[^ ]+ )?build/[a-z]+/examples/([a-z_]+)")
      if(NOT EXISTS "${PROJECT_SOURCE_DIR}/examples/${CMAKE_MATCH_2}.cpp")
        set(known FALSE)
      endif()
    elseif(command MATCHES "^\\$ (cmake|ctest) --preset ([a-z-]+)$")
      if(NOT presets MATCHES "\"name\": \"${CMAKE_MATCH_2}\"")
        set(known FALSE)
      endif()
    elseif(NOT command MATCHES "^\\$ cmake --build build/[a-z]+ -j$")
      set(known FALSE)
    endif()
    if(NOT known)
      message(FATAL_ERROR "${place}: '${command}' is no command that exists, or none that tests/docs/snippets.cmake knows")
    endif()
  endforeach()
endfunction()
