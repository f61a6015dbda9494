# Compiles SOURCE, which must fail and say EXPECTED (a regular expression); the same with -DCORRECT must compile, so that
# it fails for that reason and no other.
cmake_minimum_required(VERSION 3.22)
separate_arguments(command UNIX_COMMAND "${COMMAND}")

function(compile code text)
  execute_process(COMMAND ${command} ${ARGN} -fsyntax-only "${SOURCE}" RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  set(${code} "${result}" PARENT_SCOPE)
  string(REGEX REPLACE "[ \n]+" " " all "${out}${err}") # a compiler may fold its lines
  set(${text} "${all}" PARENT_SCOPE)
endfunction()

compile(code text -DCORRECT)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the correct form does not compile:\n${text}")
endif()
compile(code text)
if(code EQUAL 0)
  message(FATAL_ERROR "it compiles, but should not")
endif()
if(NOT text MATCHES "${EXPECTED}")
  message(FATAL_ERROR "the compiler does not say '${EXPECTED}':\n${text}")
endif()
