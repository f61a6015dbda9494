# As system headers, which they are for users of the package, the headers cause no warning in a user's file; and they say at once
# when they are compiled without what they need.
#
#   cmake -DCXX=g++ -DFLAGS=response-file -DINCLUDE=folder -P quiet.cmake
set(command "${CXX}" -isystem "${INCLUDE}" "@${FLAGS}" -DDOLMEN_KERNEL_FILE=1 -fsyntax-only)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-qual -Werror)
execute_process(COMMAND ${command} ${warnings} "${CMAKE_CURRENT_LIST_DIR}/typical.cpp" RESULT_VARIABLE code ERROR_VARIABLE text)
if(NOT code EQUAL 0 OR NOT text STREQUAL "")
  message(FATAL_ERROR "status ${code}\n${text}")
endif()

# Found through core/types.hpp, the smallest header that has to do with it.
foreach(flag "-fno-exceptions=Dolmen needs exceptions" "-fno-rtti=Dolmen needs run-time type information" "-std=c++17=Dolmen needs C[+][+]20")
  string(REGEX MATCH "^(.*)=(Dolmen .*)$" all "${flag}")
  set(flag "${CMAKE_MATCH_1}")
  set(expected "${CMAKE_MATCH_2}")
  foreach(header core/types.hpp core/error.hpp)
    execute_process(COMMAND ${command} "${flag}" -include "dolmen/${header}" -x c++ /dev/null RESULT_VARIABLE code ERROR_VARIABLE text)
    if(code EQUAL 0 OR NOT text MATCHES "${expected}")
      message(FATAL_ERROR "<dolmen/${header}> with ${flag}: status ${code}\n${text}")
    endif()
  endforeach()
endforeach()
