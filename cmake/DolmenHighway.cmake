# Highway's vectorised quicksort, where it is installed: sort of the cpu backend is faster with it. Debian's and Ubuntu's package is
# libhwy-dev. CMAKE_DISABLE_FIND_PACKAGE_hwy=ON leaves it out.

include(CheckCXXSourceCompiles)

# A program tells more than a version: packages differ in what they hold.
function(dolmen_try_highway)
  set(CMAKE_REQUIRED_LIBRARIES hwy::hwy_contrib)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("
    #include <hwy/contrib/sort/vqsort.h>
    int main() {
      int32_t keys[2] = {2, 1};
      int64_t wide[2] = {2, 1};
      hwy::Sorter()(keys, 2, hwy::SortAscending());
      hwy::Sorter()(wide, 2, hwy::SortAscending());
    }" DOLMEN_HIGHWAY_SORTS)
endfunction()

set(DOLMEN_HAS_HIGHWAY 0)
if(NOT TARGET hwy::hwy_contrib)
  find_package(hwy CONFIG QUIET)
  if(TARGET hwy::hwy_contrib)
    set_target_properties(hwy::hwy hwy::hwy_contrib PROPERTIES IMPORTED_GLOBAL ON)
  endif()
endif()
if(TARGET hwy::hwy_contrib)
  dolmen_try_highway()
  if(DOLMEN_HIGHWAY_SORTS)
    set(DOLMEN_HAS_HIGHWAY 1)
  endif()
endif()
if(NOT DOLMEN_HAS_HIGHWAY)
  message(STATUS "Dolmen: sort does without Highway (Debian: libhwy-dev)")
endif()
set(DOLMEN_HAS_HIGHWAY ${DOLMEN_HAS_HIGHWAY} PARENT_SCOPE)
