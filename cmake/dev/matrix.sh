# Part of ./dev: the configurations of docs/building.md, each built with a few tests in build/matrix/NAME.

# NAME  what it needs  CMake's arguments
matrix_list() {
  cat << 'TEXT'
no-openblas   g++         -DDOLMEN_OPENBLAS=OFF -DDOLMEN_BUILD_BENCH=ON
bare          g++         -DDOLMEN_OPENBLAS=OFF -DDOLMEN_BUILD_BENCH=ON -DDOLMEN_DOXYGEN=OFF -DDOLMEN_cli11_DIR=OFF -DDOLMEN_json_DIR=OFF -DDOLMEN_fmt_DIR=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON
cuda-bare     nvcc        -DDOLMEN_BACKEND=cuda -DDOLMEN_ENABLE_CUDA=ON -DDOLMEN_ENABLE_CPU=OFF -DDOLMEN_BUILD_BENCH=ON -DCMAKE_CUDA_ARCHITECTURES=90 -DCUDA_cublas_LIBRARY=OFF -DCUDA_cusparse_LIBRARY=OFF
unity         g++         -DCMAKE_UNITY_BUILD=ON
shared        g++         -DBUILD_SHARED_LIBS=ON
c++23         g++         -DCMAKE_CXX_STANDARD=23
gcc-11        g++-11      -DCMAKE_CXX_COMPILER=g++-11
gcc-12        g++-12      -DCMAKE_CXX_COMPILER=g++-12
clang-14      clang++-14  -DCMAKE_CXX_COMPILER=clang++-14
clang-19      clang++-19  -DCMAKE_CXX_COMPILER=clang++-19
x86-64-v3     g++         -DDOLMEN_CPU_ARCH=x86-64-v3 -DDOLMEN_QUICK_COMPILE=OFF
native        g++         -DDOLMEN_CPU_ARCH=native -DDOLMEN_QUICK_COMPILE=OFF
TEXT
}

# A little of everything: types, memory, kernels with and without barriers, vectorised loops, functions of the user.
matrix_tests=(core half memory launch scan sort sum transform)

cmd_matrix() {
  local wanted=("$@") known name needs settings failed=0
  known=$(matrix_list | awk '{ print $1 }')
  for name in "${wanted[@]}"; do
    grep -qxF -- "$name" <<< "$known" || die "the matrix has no configuration '$name'; it has ${known//$'\n'/ }"
  done
  setup build
  use_tools
  matrix_results=()
  while read -r -u 3 name needs settings; do
    [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || continue
    # shellcheck disable=SC2086 # the settings are words
    matrix_one "$name" "$needs" $settings || failed=1
  done 3< <(matrix_list)
  printf '%-12s %-8s %8s  %s\n' configuration result seconds '' "${matrix_results[@]}"
  return "$failed"
}

# matrix_one NAME NEEDS [CMake's arguments]: a line in matrix_results.
matrix_one() {
  local name=$1 needs=$2 begin=$SECONDS folder=build/matrix/$1 code=0 note=
  shift 2
  have "$needs" || note="no $needs here"
  case $needs in # Debian has libomp of one version at a time
    clang++*) [ -n "$note" ] || has_openmp "$needs" || note="no OpenMP of $needs here (package libomp${needs#clang++}-dev)" ;;
  esac
  if [ -n "$note" ]; then
    matrix_results+=("$(printf '%-12s %-8s %8s  %s' "$name" skipped - "$note")")
    return
  fi
  say "$name: $*"
  mkdir -p build/matrix
  { matrix_build "$folder" "$@" && { [ "$needs" = nvcc ] || matrix_run "$folder"; }; } > "$folder.log" 2>&1 || code=$?
  note=$(grep -oE '[0-9]+ tests failed out of [0-9]+' "$folder.log" | tail -n 1)
  [ "$code" -eq 0 ] || { note="see $folder.log" && grep -m 10 -E 'error|Error|FAILED|\*\*\*Failed' "$folder.log"; }
  matrix_results+=("$(printf '%-12s %-8s %8d  %s' "$name" "$([ "$code" -eq 0 ] && echo ok || echo FAILED)" $((SECONDS - begin)) "$note")")
  return "$code"
}

# shellcheck disable=SC2086 # CXXFLAGS are words
has_openmp() { "$1" ${CXXFLAGS:-} -fopenmp -x c++ - -o /dev/null <<< $'#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }' 2> /dev/null; }

# The first settings are those of all, which the last ones change.
matrix_build() {
  local folder=$1 targets
  shift
  cmake -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DDOLMEN_BACKEND=cpu -DDOLMEN_ENABLE_CUDA=OFF -DDOLMEN_WERROR=ON \
    -DDOLMEN_QUICK_COMPILE=ON -DDOLMEN_CPU_ARCH=native -DDOLMEN_PRECOMPILE_HEADERS=ON -DDOLMEN_BUILD_EXAMPLES=OFF -DDOLMEN_BUILD_BENCH=OFF "$@" || return
  targets=("${matrix_tests[@]/#/test_}")
  ! grep -q '^DOLMEN_ENABLE_CUDA.*=ON' "$folder/CMakeCache.txt" || targets=() # no GPU is asked for: the study alone is compiled
  [ ! -d "$folder/bench/CMakeFiles/dolmen-study.dir" ] || targets+=(dolmen-study)
  cmake --build "$folder" -j "$jobs" --target "${targets[@]}"
}

matrix_run() {
  local folder=$1 tests
  tests=$(IFS='|' && echo "${matrix_tests[*]}")
  ctest --test-dir "$folder" --output-on-failure --no-tests=error -R "^($tests)(/cpu)?\$" || return
  [ ! -x "$folder/bench/dolmen-study" ] || "$folder/bench/dolmen-study" run --filter '^(sum|gemm)/' --time 0.01
}
