# DOLMEN_PLAIN_FLAGS: a response file (g++, clang: @FILE) with what a plain C++ file that links dolmen::dolmen is compiled with,
# for the tests that call the compiler themselves. CMake knows the flags of targets only; among them are the paths of a
# toolkit that the compiler does not find by itself.
set(flags "-std=c++20\n${CMAKE_CXX_FLAGS}\n")
foreach(kind "INCLUDE_DIRECTORIES|-I" "COMPILE_DEFINITIONS|-D" "COMPILE_OPTIONS|")
  string(REPLACE "|" ";" kind "${kind}")
  list(POP_FRONT kind property)
  set(values "$<REMOVE_DUPLICATES:$<FILTER:$<TARGET_PROPERTY:dolmen,INTERFACE_${property}>,INCLUDE,.>>")
  string(APPEND flags "$<$<BOOL:${values}>:${kind}\"$<JOIN:${values},\"\n${kind}\">\"\n>")
endforeach()
set(DOLMEN_PLAIN_FLAGS "${CMAKE_CURRENT_BINARY_DIR}/plain_flags_CXX.txt")
file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/plain_flags_$<COMPILE_LANGUAGE>.txt" CONTENT "${flags}")

# The toolkit of this build, for the tests that configure projects; empty without CUDA. nvcc need not be on PATH.
set(DOLMEN_TOOLKIT "")
if(DOLMEN_HAS_CUDA)
  get_filename_component(DOLMEN_TOOLKIT "${CUDAToolkit_BIN_DIR}" DIRECTORY)
endif()
