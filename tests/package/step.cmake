# step(COMMAND...): runs it, and leaves what it printed in `text`.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed (${code}): ${ARGN}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()
