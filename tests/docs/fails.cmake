# A block that must not compile, and what the compiler must say.
execute_process(COMMAND "${CXX}" "@${FLAGS}" -DDOLMEN_KERNEL_FILE=1 -fsyntax-only "-I${CMAKE_CURRENT_LIST_DIR}" "${FILE}"
  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
string(FIND "${text}" "${TEXT}" found)
if(code EQUAL 0 OR found EQUAL -1)
  message(FATAL_ERROR "status ${code}, expected an error with '${TEXT}'\n${text}")
endif()
