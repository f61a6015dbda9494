# A kernel's body for the CPU must belong to its object file: of two weak copies, compiled by two compilers or for two
# instruction sets, the linker would take either.
execute_process(COMMAND "${NM}" -C ${OBJECTS} OUTPUT_VARIABLE text RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "nm failed")
endif()
string(REGEX MATCHALL "[^\n]* [VWu] [^\n]*(cpu::block<|cpu::impl::run_|symbols_kernel::operator)[^\n]*" weak "${text}")
if(weak)
  message(FATAL_ERROR "weak symbols with kernel bodies:\n${weak}")
endif()
if(NOT text MATCHES " t [^\n]*symbols_kernel")
  message(FATAL_ERROR "the kernel's body was not found at all:\n${text}")
endif()
