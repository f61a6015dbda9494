# For users (and for Dolmen's own tests, examples and study): files with kernels go through nvcc when the CUDA backend is
# enabled and through the C++ compiler otherwise, with the same host flags.
#
#   dolmen_add_executable(app main.cpp KERNELS kernels.cpp)
#   dolmen_kernels(target kernels.cpp ...)      for a target that exists already; adds the files if it lacks them
#
# Macros, because the CUDA language must be enabled in the caller's directory.

macro(dolmen_kernels target)
  if(DOLMEN_HAS_CUDA)
    dolmen_enable_cuda_language()
  endif()
  dolmen_mark_kernels(${target} ${ARGN})
endmacro()

macro(dolmen_add_executable target)
  if(DOLMEN_HAS_CUDA)
    dolmen_enable_cuda_language()
  endif()
  dolmen_make_executable(${target} ${ARGN})
endmacro()

function(dolmen_make_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "KERNELS")
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS} ${arg_KERNELS})
  dolmen_mark_kernels(${target} ${arg_KERNELS})
endfunction()

function(dolmen_mark_kernels target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(dir ${target} SOURCE_DIR)
  foreach(file IN LISTS ARGN)
    get_filename_component(path "${file}" ABSOLUTE)
    set(spelling "")
    foreach(source IN LISTS sources)
      get_filename_component(source_path "${source}" ABSOLUTE BASE_DIR "${dir}")
      if(source_path STREQUAL path)
        set(spelling "${source}")
      endif()
    endforeach()
    if(NOT spelling)
      target_sources(${target} PRIVATE "${path}")
    endif()
    set_property(SOURCE "${path}" TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_DEFINITIONS DOLMEN_KERNEL_FILE=1)
    if(DOLMEN_HAS_CUDA)
      set_source_files_properties("${path}" TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CUDA)
    endif()
  endforeach()
  if(DOLMEN_HAS_CUDA)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
    get_target_property(architectures ${target} CUDA_ARCHITECTURES)
    if(NOT architectures) # the language was enabled after the target was made
      set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
    endif()
  endif()
  target_link_libraries(${target} PRIVATE dolmen::dolmen dolmen::kernel_flags)
endfunction()
