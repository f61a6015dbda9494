# With nvcc hidden, AUTO configures and says why CUDA is off; ON stops with a clear text.
# A PATH of links to the tools that a build needs and nothing else.
# The hidden PATH does not hold a compiler cache.
unset(ENV{CMAKE_CXX_COMPILER_LAUNCHER})
unset(ENV{CMAKE_CUDA_COMPILER_LAUNCHER})
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/bin")
foreach(tool sh uname ninja make ar ranlib ld as cmake)
  find_program(path_of_${tool} ${tool} NO_CACHE)
  if(path_of_${tool})
    file(CREATE_LINK "${path_of_${tool}}" "${WORK}/bin/${tool}" SYMBOLIC)
  endif()
endforeach()

function(configure name mode)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${WORK}/bin" --unset=CUDACXX --unset=CUDA_PATH --unset=CUDAToolkit_ROOT
      "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/${name}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" ${ARGN}
      -DDOLMEN_BUILD_TESTS=OFF -DDOLMEN_BUILD_BENCH=OFF -DDOLMEN_BUILD_EXAMPLES=OFF -DDOLMEN_ENABLE_CUDA=${mode}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}") # CMake folds the lines of an error
  set(code "${code}" PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

configure(auto AUTO)
if(NOT code EQUAL 0 OR NOT text MATCHES "CUDA off: no CUDA compiler found")
  message(FATAL_ERROR "AUTO without nvcc: status ${code}\n${text}")
endif()

configure(on ON)
if(code EQUAL 0 OR NOT text MATCHES "The CUDA backend was asked for, but cannot be built: no CUDA compiler found")
  message(FATAL_ERROR "ON without nvcc: status ${code}\n${text}")
endif()

file(WRITE "${WORK}/nvcc" "#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n")
file(CHMOD "${WORK}/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
configure(old AUTO "-DCMAKE_CUDA_COMPILER=${WORK}/nvcc")
if(NOT code EQUAL 0 OR NOT text MATCHES "CUDA off: .*11.8.89; 12.0 or newer is needed")
  message(FATAL_ERROR "AUTO with CUDA 11.8: status ${code}\n${text}")
endif()

file(WRITE "${WORK}/nvcc" "#!/bin/sh\n[ \"$1\" = --version ] && echo 'release 12.4, V12.4.99' && exit 0\necho no headers here >&2\nexit 1\n")
configure(broken AUTO "-DCMAKE_CUDA_COMPILER=${WORK}/nvcc")
if(NOT code EQUAL 0 OR NOT text MATCHES "CUDA off: .*cannot build a small C\\+\\+20 program .*no headers here")
  message(FATAL_ERROR "AUTO with a broken nvcc: status ${code}\n${text}")
endif()
