# Public headers stay light: what g++ makes of each, in lines after the preprocessor, has a limit. Every kernel file reads
# them, and nvcc does so several times. A header that grows has taken in a standard header which a source file or a forward
# declaration could have kept out; docs/results/compile-times.md says what each of them costs.
#
#   cmake -DCOMPILER=g++ -DFLAGS=-std=c++20;... -DHEADERS=core/view.hpp;... -DWORK=folder -P lines.cmake

# Pattern and limit; the first pattern that a header's name matches holds. About a tenth above what was measured.
set(limits
  "^dolmen\\.hpp$" 55000
  "^(cpu|cuda|check)\\.hpp$" 48000
  "^algorithms/" 48000
  # With streams come std::runtime_error, and the strings, vector and optional numbers of device_properties.
  "^core/(buffer|layout|overlap)\\.hpp$" 44000
  "^core/(cooperative|device|facts|launch|stream)\\.hpp$" 40000
  "^core/error\\.hpp$" 33000
  "^core/pool/" 95000 # for tests of the pool alone
  "^core/(access|atomic|fragment|tile|view)\\.hpp$" 13000
  # With numbers come <limits>, and <typeindex> for std::hash.
  "^core/" 10500)

# The check backend's algorithms watch what a program's functions do: its records need <atomic> and <vector>.
set(watching 0)
if("${FLAGS}" MATCHES "DOLMEN_CHECK")
  set(watching 7000)
endif()

set(failed "")
foreach(header IN LISTS HEADERS)
  file(WRITE "${WORK}/lines.cpp" "#include <dolmen/${header}>\n")
  execute_process(COMMAND "${COMPILER}" ${FLAGS} -E "${WORK}/lines.cpp" OUTPUT_FILE "${WORK}/lines.ii" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the preprocessor refused <dolmen/${header}>")
  endif()
  file(READ "${WORK}/lines.ii" text)
  string(REGEX REPLACE "[^\n]+" "" text "${text}")
  string(LENGTH "${text}" lines)

  set(limit "")
  set(rest ${limits})
  while(rest AND NOT limit)
    list(POP_FRONT rest pattern candidate)
    if(header MATCHES "${pattern}")
      set(limit ${candidate})
      if(header MATCHES "^(dolmen[.]hpp|algorithms/)")
        math(EXPR limit "${limit} + ${watching}")
      endif()
    endif()
  endwhile()
  if(NOT limit)
    message(FATAL_ERROR "<dolmen/${header}> has no limit")
  endif()
  message(STATUS "${lines} of ${limit}: ${header}")
  if(lines GREATER limit)
    string(APPEND failed "\n  ${header}: ${lines} lines, at most ${limit}")
  endif()
endforeach()
if(failed)
  message(FATAL_ERROR "headers that have become heavy:${failed}")
endif()
