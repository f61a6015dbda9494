# Part of ./dev: everything that needs a GPU, in one command. A step that fails does not keep the later ones from running.

gpu_results=()
gpu_failed=0

cmd_gpu() {
  [ $# -eq 1 ] || die "gpu needs a folder for its results: ./dev gpu OUT"
  mkdir -p "$1"
  local out
  out=$(cd "$1" && pwd)
  setup build
  use_tools
  gpu_step machine gpu_machine "$out"
  gpu_step build gpu_build "$out"
  gpu_step tests gpu_tests "$out"
  gpu_step memcheck gpu_sanitizer memcheck "$out"
  gpu_step racecheck gpu_sanitizer racecheck "$out"
  gpu_step synccheck gpu_sanitizer synccheck "$out"
  gpu_step study gpu_study "$out"
  say "results in $out"
  printf '%s\n' "${gpu_results[@]}" | tee "$out/summary.txt"
  return "$gpu_failed"
}

# gpu_step NAME FUNCTION OUT: status 0 is ok, 77 is skipped (the step says why in gpu_note), all else failed.
gpu_step() {
  local name=$1 begin=$SECONDS code=0 word=ok
  shift
  gpu_note=
  say "$name"
  set +e
  "$@"
  code=$?
  set -e
  case $code in
    0) ;;
    77) word=skipped ;;
    *) word="FAILED ($code)" gpu_failed=1 ;;
  esac
  gpu_results+=("$(printf '%-9s %-11s %4d s  %s' "$name" "$word" $((SECONDS - begin)) "$gpu_note")")
}

gpu_machine() {
  {
    date -u
    uname -a
    nproc
    grep -m1 'model name' /proc/cpuinfo
    nvidia-smi
    nvidia-smi -q -d CLOCK,POWER
    "${CUDACXX:-nvcc}" --version
    "${CXX:-c++}" --version
    cmake --version
    git log -1 --format='commit %H' 2> /dev/null
  } > "$1/machine.txt" 2>&1
  gpu_note=$(nvidia-smi -L 2> /dev/null | head -n 1)
  has_gpu
}

gpu_build() {
  (set -e
    configure cuda build/gpu
    cmake --build build/gpu -j "$jobs" -- -k 0) > "$1/build.log" 2>&1
  local code=$?
  [ $code -eq 0 ] || { gpu_note="see build.log"; grep -m 20 -E 'error|Error|FAILED' "$1/build.log"; }
  return $code
}

gpu_tests() {
  [ -d build/gpu/tests ] || { gpu_note="nothing was built"; return 1; }
  ctest --test-dir build/gpu --output-on-failure --no-tests=error -LE slow > "$1/tests.log" 2>&1
  local code=$?
  tail -n 25 "$1/tests.log"
  gpu_note=$(grep -E 'tests passed' "$1/tests.log")
  return $code
}

# gpu_sanitizer TOOL OUT: all test programs, on small sizes. Not all say something to every tool: racecheck looks at shared
# memory, synccheck at barriers.
gpu_sanitizer() {
  local tool=$1 out=$2 sanitizer
  sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
  [ -x "$sanitizer" ] || { gpu_note="no compute-sanitizer here"; return 77; }
  [ -s build/gpu/tests/programs.txt ] || { gpu_note="nothing was built"; return 1; }
  local work options= exclude=
  case $tool in
    memcheck) options="--leak-check no --report-api-errors no" ;;
    racecheck) exclude="--test-case-exclude=*loads and stores are not reordered*" ;;  # takes ld.relaxed and st.relaxed for plain ones
  esac
  work=$(mktemp -d)
  # A few at a time: each takes a GPU context, and one core.
  DOLMEN_TEST_SMALL=1 DOLMEN_TEST_BACKEND=cuda OMP_NUM_THREADS=2 SANITIZER=$sanitizer WORK=$work TOOL="--tool $tool $options" EXCLUDE="$exclude" \
    xargs -P $((jobs < 8 ? jobs : 8)) -n 1 bash -c 'name=$(basename "$0")
      timeout 150 "$SANITIZER" $TOOL --error-exitcode 99 "$0" ${EXCLUDE:+"$EXCLUDE"} > "$WORK/$name" 2>&1
      echo "$? $name" >> "$WORK/codes"' < build/gpu/tests/programs.txt
  local code name bad=0 count=0
  while read -r code name; do
    count=$((count + 1))
    [ "$code" -eq 0 ] || [ "$code" -eq 77 ] || { bad=$((bad + 1)); printf '%s: status %s\n' "$name" "$code"; }
    printf '#### %s: status %s\n' "$name" "$code"
    cat "$work/$name"
  done < "$work/codes" > "$out/$tool.log"
  grep -E '^[^#].*: status [0-9]+$' "$out/$tool.log"
  gpu_note="$count programs, $bad not clean"
  if [ "$bad" -gt 0 ] && grep -q 'Device not supported' "$out/$tool.log"; then
    gpu_note="compute-sanitizer does not support this device here"
    rm -rf "$work"
    return 77
  fi
  rm -rf "$work"
  [ "$bad" -eq 0 ]
}

gpu_study() {
  [ -x build/gpu/bench/dolmen-study ] || { gpu_note="nothing was built"; return 1; }
  build/gpu/bench/dolmen-study run --all --json "$1/study.json" > "$1/study.txt" 2>&1
  local code=$?
  build/gpu/bench/dolmen-study facts > "$1/facts.txt" 2>&1
  cat "$1/study.txt" "$1/facts.txt"
  return $code
}
