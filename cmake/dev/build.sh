# Part of ./dev: configure, build, test, study.

jobs=${DOLMEN_JOBS:-$(nproc)}

# The generator of a fresh build folder, and the compiler cache, where they exist.
use_tools() {
  if have ninja; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi
  if have ccache; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    export CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-ccache}
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros} # it caches no use of a precompiled header otherwise
    # A checkout in another folder finds what this one compiled.
    export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
    export CCACHE_MAXSIZE=${CCACHE_MAXSIZE-10G}
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
  build_and_count "$preset" "${rest[@]}"
}

# build_and_count PRESET [for cmake --build]: says how much the compiler cache knew.
build_and_count() {
  local folder=build/$1 before code=0
  shift
  before=$(cache_counts)
  cmake --build "$folder" -j "$jobs" "$@" || code=$?
  # shellcheck disable=SC2086 # two numbers
  cache_report $before
  return "$code"
}

cmd_build() {
  [ $# -ge 1 ] || die "build needs a preset: cpu, cuda, check, cpu-asan or cpu-tsan"
  is_preset "$1"
  setup_for "$1"
  build "$@"
}

cmd_test() {
  local presets=() settings=() names=() slow=(-LE slow) failed=() preset arg
  for arg in "$@"; do
    case $arg in
      --full) slow=() && export DOLMEN_TEST_FULL=1 ;;
      -D*) settings+=("$arg") ;;
      -*) die "test does not know '$arg'; ./dev help says what it knows" ;;
      cpu | cuda | check | cpu-asan | cpu-tsan) presets+=("$arg") ;;
      *) names+=("$arg") ;;
    esac
  done
  if [ ${#presets[@]} -eq 0 ]; then
    presets=(cpu check)
    ! has_gpu || presets=(cpu cuda check)
  fi
  for preset in "${presets[@]}"; do
    setup_for "$preset"
    # In a subshell, so that one preset that fails does not hide the others.
    (if [ ${#names[@]} -eq 0 ]; then
      build "$preset" "${settings[@]}" && say "testing $preset" && run_tests "$preset" "${slow[@]}"
    else
      test_by_name "$preset"
    fi) || failed+=("$preset")
  done
  [ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
}

# Builds and runs the tests of `names` alone: regular expressions, as ctest takes them.
test_by_name() {
  local preset=$1 pattern programs=()
  pattern=$(IFS='|' && echo "${names[*]}")
  say "configuring $preset in build/$preset"
  configure "$preset" "build/$preset" "${settings[@]}"
  mapfile -t programs < <(programs_of "$PWD/build/$preset" "$pattern")
  case ${programs[*]} in
    none) die "no test of $preset matches '$pattern'; ctest --test-dir build/$preset -N lists them" ;;
    *all*) programs=(all) ;;
  esac
  say "building ${programs[*]}"
  build_and_count "$preset" --target "${programs[@]}" \
    && say "testing $preset" && run_tests "$preset" "${slow[@]}" -R "$pattern"
}

# programs_of FOLDER PATTERN: what the tests of these names run, a target a line. `all` for a test that names none, `none` if there
# is no such test.
programs_of() {
  local folder=$1 pattern=$2 known line name found
  known=$(cmake --build "$folder" --target help | grep -oE '[A-Za-z0-9_-]+')
  while read -r line; do
    name=$(sed -E 's/^add_test\((\[=*\[)?([^] ]+).*/\2/' <<< "$line")
    grep -qE -- "$pattern" <<< "$name" || continue
    found=$(grep -oE "$folder/[A-Za-z0-9_/.-]+" <<< "$line" | sed 's#/examples/#/examples/example_#' | xargs -rn 1 basename \
      | grep -E '^(test_|example_|docs_|dolmen-study$)' | grep -xF "$known" || true)
    case $name in
      refused/*) found=refused_header ;;
    esac
    echo "${found:-all}"
  done < <(find "$folder" -name CTestTestfile.cmake -exec grep -h '^add_test(' {} +) | sort -u | grep . || echo none
}

run_tests() {
  local preset=$1
  shift
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error "$@"
}

# Hits and misses of the compiler cache so far; nothing without one.
cache_counts() {
  have ccache && [ "${CMAKE_CXX_COMPILER_LAUNCHER-}" = ccache ] || return 0
  ccache --print-stats | awk '$1 ~ /^(direct|preprocessed)_cache_hit$/ { hits += $2 } $1 == "cache_miss" { misses += $2 }
    END { print hits + 0, misses + 0 }'
}

# cache_report HITS MISSES: what has come since these counts.
cache_report() {
  local now hits misses
  read -ra now < <(cache_counts) || return 0
  hits=$((now[0] - ${1:-0})) misses=$((now[1] - ${2:-0}))
  [ $((hits + misses)) -eq 0 ] || say "compiler cache: $hits of $((hits + misses)) compilations were known"
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

cmd_mutate() {
  have python3 || die "mutate needs Python 3 (Debian: python3)"
  use_tools
  python3 cmake/dev/mutate.py "$@"
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
