# Part of ./dev: configure, build, test, study.

jobs=${DOLMEN_JOBS:-$(nproc)}

# The generator of a fresh build folder, and the compiler cache, where they exist.
use_tools() {
  if have ninja; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi
  if have ccache; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    export CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-ccache}
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros} # it caches no use of a precompiled header otherwise
  fi
  have nvcc || [ -n "${CUDACXX:-}" ] || [ ! -x /usr/local/cuda/bin/nvcc ] || export PATH=$PATH:/usr/local/cuda/bin
}

is_preset() {
  case $1 in
    cpu | cuda | check | cpu-asan | cpu-tsan) ;;
    *) die "there is no preset '$1'; there are cpu, cuda, check, cpu-asan, cpu-tsan" ;;
  esac
}

setup_for() {
  case $1 in
    cpu-tsan) setup build tsan ;;
    *) setup build ;;
  esac
}

# configure PRESET FOLDER [CMake's arguments]. Code that runs here only is built for this machine's CPU.
configure() {
  local preset=$1 folder=$2 arch=()
  shift 2
  case $preset in
    cpu | cuda) arch=(-DDOLMEN_CPU_ARCH=native) ;;
  esac
  use_tools
  [ -e "$folder/CMakeCache.txt" ] || say "configuring $preset for the first time; it is quiet for up to half a minute"
  local log
  log=$(mktemp)
  if cmake --preset "$preset" -B "$folder" "${arch[@]}" "$@" > "$log" 2>&1; then
    grep 'Dolmen' "$log" || true
    rm -f "$log"
  else
    cat "$log"
    rm -f "$log"
    die "configuring $preset failed"
  fi
}

# build PRESET [-DNAME=VALUE for the configuration, all else for cmake --build]
build() {
  local preset=$1 arg settings=() rest=()
  shift
  for arg in "$@"; do
    case $arg in
      -D*) settings+=("$arg") ;;
      *) rest+=("$arg") ;;
    esac
  done
  say "building $preset in build/$preset"
  configure "$preset" "build/$preset" "${settings[@]}"
  cmake --build "build/$preset" -j "$jobs" "${rest[@]}"
}

cmd_build() {
  [ $# -ge 1 ] || die "build needs a preset: cpu, cuda, check, cpu-asan or cpu-tsan"
  is_preset "$1"
  setup_for "$1"
  build "$@"
}

cmd_test() {
  local presets=() settings=() slow=(-LE slow) failed=() preset arg
  for arg in "$@"; do
    case $arg in
      --full) slow=() && export DOLMEN_TEST_FULL=1 ;;
      -D*) settings+=("$arg") ;;
      *) is_preset "$arg" && presets+=("$arg") ;;
    esac
  done
  if [ ${#presets[@]} -eq 0 ]; then
    presets=(cpu check)
    ! has_gpu || presets=(cpu cuda check)
  fi
  for preset in "${presets[@]}"; do
    setup_for "$preset"
    # In a subshell, so that one preset that fails does not hide the others.
    (build "$preset" "${settings[@]}" && say "testing $preset" && run_tests "$preset" "${slow[@]}") || failed+=("$preset")
  done
  [ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
}

run_tests() {
  local preset=$1
  shift
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error "$@"
}

cmd_study() {
  local preset=cpu
  setup build
  use_tools
  if has_gpu && { have nvcc || [ -n "${CUDACXX:-}" ]; }; then preset=cuda; fi
  build "$preset" --target dolmen-study
  say "build/$preset/bench/dolmen-study run $*"
  exec "build/$preset/bench/dolmen-study" run "$@"
}

cmd_docs() {
  setup build docs
  configure cpu build/cpu
  cmake --build build/cpu --target dolmen-docs
}

cmd_clean() {
  rm -rf build
  say "build/ is gone; .deps stays"
}
