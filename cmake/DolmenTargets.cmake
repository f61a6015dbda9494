# The backends of this build, the flags, and dolmen_library().

set(DOLMEN_HAS_CPU 0)
if(DOLMEN_ENABLE_CPU)
  set(DOLMEN_HAS_CPU 1)
endif()
set(DOLMEN_HAS_CHECK 0)
if(DOLMEN_BACKEND STREQUAL "check")
  set(DOLMEN_HAS_CPU 0)
  set(DOLMEN_HAS_CUDA 0)
  set(DOLMEN_HAS_CHECK 1)
  set(DOLMEN_CUDA_REASON "DOLMEN_BACKEND is check")
endif()
set(DOLMEN_BACKENDS "")
foreach(backend cpu cuda check)
  string(TOUPPER ${backend} upper)
  if(DOLMEN_HAS_${upper})
    list(APPEND DOLMEN_BACKENDS ${backend})
  endif()
  # Projects that take Dolmen's sources along call dolmen_add_executable outside this folder, where only the cache is seen.
  set(DOLMEN_HAS_${upper} ${DOLMEN_HAS_${upper}} CACHE INTERNAL "The ${backend} backend is built")
endforeach()

find_package(Threads REQUIRED)

# Host flags of all code that holds kernels. Both compilers get the same: the same kernel ran at a third of its speed
# with other flags, and nobody sees which compiler's copy is slow.
set(host_flags -fopenmp-simd -ffp-contract=fast)
if(DOLMEN_CPU_ARCH)
  list(PREPEND host_flags -march=${DOLMEN_CPU_ARCH})
endif()
add_library(dolmen_kernel_flags INTERFACE)
add_library(dolmen::kernel_flags ALIAS dolmen_kernel_flags)
set_target_properties(dolmen_kernel_flags PROPERTIES EXPORT_NAME kernel_flags)
foreach(flag IN LISTS host_flags)
  target_compile_options(dolmen_kernel_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:${flag}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
endforeach()
# Targets with DOLMEN_HOST_LEVEL take another level for what nvcc gives to the host's compiler. A project without a build type
# gets fast kernels too.
set(level $<TARGET_PROPERTY:DOLMEN_HOST_LEVEL>)
set(optimised $<OR:$<CONFIG:Release,RelWithDebInfo>,$<NOT:$<BOOL:$<CONFIG>>>>)
if(NOT DOLMEN_QUICK_COMPILE)
  target_compile_options(dolmen_kernel_flags INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,${optimised}>:-O3>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,${optimised}>:-Xcompiler=-O$<IF:$<BOOL:${level}>,${level},3>>)
elseif(DOLMEN_HAS_CUDA)
  # nvcc puts a level of its own behind those that go to the host's compiler.
  string(REGEX REPLACE "-O[0-9]" "" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--Ofast-compile=max>)
  endif()
endif()
target_compile_options(dolmen_kernel_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
if(NOT DOLMEN_QUICK_COMPILE) # a tenth of the time, for those who profile
  target_compile_options(dolmen_kernel_flags INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<BOOL:$<TARGET_PROPERTY:DOLMEN_NO_LINE_NUMBERS>>>>:-lineinfo>)
endif()

# Warnings, for Dolmen's own targets only.
add_library(dolmen_warnings INTERFACE)
target_compile_options(dolmen_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra> $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # an unknown pragma or attribute of g++ is no mistake
  target_compile_options(dolmen_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-pass-failed>)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 17) # it sees that std::stable_sort of g++ 12 calls what that deprecates
    target_compile_options(dolmen_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
  endif()
endif()
if(DOLMEN_QUICK_COMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # at -O1 it sees sizes that cannot be
  target_compile_options(dolmen_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow> $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
if(DOLMEN_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # g++ sees uninitialised values in the sanitizers' own code
  target_compile_options(dolmen_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
if(DOLMEN_WERROR)
  target_compile_options(dolmen_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:--Werror all-warnings>" $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>)
endif()

# Properties of every target that belongs to Dolmen: libraries, tests, study, examples.
function(dolmen_own_target target)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fvisibility-inlines-hidden>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:dolmen_warnings>)
endfunction()

# dolmen_compress(TARGET): device code as small as the compiler can make it. The driver unpacks it when it is first used.
function(dolmen_compress target)
  if(DOLMEN_HAS_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
  endif()
endfunction()

# dolmen_library(core error.cpp ...): the library dolmen_core, known as dolmen::core in the tree and installed.
function(dolmen_library name)
  set(target dolmen_${name})
  add_library(${target} ${ARGN})
  add_library(dolmen::${name} ALIAS ${target})
  dolmen_own_target(${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:dolmen_kernel_flags>)
  set(system "")
  if(NOT PROJECT_IS_TOP_LEVEL) # the project's warnings are not for these headers, as with the package
    set(system SYSTEM)
  endif()
  target_include_directories(${target} ${system} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_compile_definitions(${target} PUBLIC DOLMEN_STATIC)
  endif()
endfunction()

function(dolmen_report)
  if(DOLMEN_HAS_CUDA)
    list(JOIN CMAKE_CUDA_ARCHITECTURES " " cuda)
    set(cuda "on, nvcc ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${cuda}")
  else()
    set(cuda "off: ${DOLMEN_CUDA_REASON}")
  endif()
  set(type "${CMAKE_BUILD_TYPE}")
  if(CMAKE_CONFIGURATION_TYPES)
    list(JOIN CMAKE_CONFIGURATION_TYPES " " type)
  elseif(NOT type)
    set(type "no build type (kernels are optimised all the same)")
  endif()
  message(STATUS "Dolmen ${PROJECT_VERSION}: backends ${DOLMEN_BACKENDS}, default ${DOLMEN_BACKEND}, ${type}, -march=${DOLMEN_CPU_ARCH}")
  if(DOLMEN_HAS_CPU)
    message(STATUS "Dolmen: Kokkos ${DOLMEN_KOKKOS_TEXT}")
  endif()
  message(STATUS "Dolmen: CUDA ${cuda}")
endfunction()
