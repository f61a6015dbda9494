#!/usr/bin/env bash
# What compute-sanitizer's tools say of each planted mistake, as a table: names down, tools across, and in each cell
#
#   found     the tool reported an error or a hazard
#   silent    the program ended, and the tool had nothing to say
#   crashed   the program ended by an error of its own, and the tool had nothing to say
#   timeout   it did not end in time (SECONDS_EACH, 20)
#   no tool   the tool itself could not run here
#   not run   the device is too small for the case
#
#   cmake/dev/planted.sh build/cuda/tests/planted_gpu OUT [right]
#
# writes OUT/planted.csv and OUT/planted.md, and the tools' output to OUT/logs; `right`: of the twins instead, as
# planted-right.csv and .md, where `found` is a false alarm. JOBS (8) programs run at the same time; CASES, a regular
# expression, picks some names; TOOLS the tools.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,15p' "$0"; exit 2; }
program=$(readlink -f "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
twin=${3:-}
tools=${TOOLS:-memcheck racecheck initcheck synccheck}
stem=planted${twin:+-right}
logs=$out/logs${twin:+-right}
mkdir -p "$logs"
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
[ -x "$sanitizer" ] || { echo "planted.sh: there is no compute-sanitizer" >&2; exit 77; }

# one TOOL NAME: runs it, and leaves its word in LOGS/NAME.TOOL.word
one() {
  local tool=$1 name=$2 code=0 word options=(--print-limit 20)
  local log=$LOGS/$name.$tool.txt
  case $tool in
    memcheck) options+=(--leak-check no --report-api-errors no) ;;
    racecheck) options+=(--racecheck-report all) ;;
  esac
  timeout -k 2 "${SECONDS_EACH:-20}" "$SANITIZER" --tool "$tool" "${options[@]}" "$PROGRAM" "$name" $TWIN > "$log" 2>&1 || code=$?
  if grep -qE 'SUMMARY: [1-9][0-9]* (error|hazard)' "$log" || grep -qE '^=+ (Invalid|Uninitialized|Barrier error|(Error|Warning): (Race|Potential))' "$log"; then
    word=found
  elif grep -q '^not run: ' "$log"; then
    word='not run'
  elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
    word=timeout
  elif ! grep -q 'SUMMARY' "$log"; then
    word='no tool'
    ! grep -qE "COMPUTE-SANITIZER|Process didn't terminate successfully" "$log" || grep -qi 'not supported' "$log" || word=crashed
  elif [ "$code" -ne 0 ]; then
    word=crashed
  else
    word=silent
  fi
  echo "$word" > "$LOGS/$name.$tool.word"
}
export -f one
export PROGRAM=$program LOGS=$logs SANITIZER=$sanitizer TWIN=$twin

list=$("$program" --list | grep -E "${CASES:-.}")
for tool in $tools; do
  sed "s/^[^ ]* /$tool /" <<< "$list"
done | xargs -P "${JOBS:-8}" -L 1 bash -c 'one "$0" "$1"'

read -ra columns <<< "$tools"
{
  (IFS=,; echo "family,case,${columns[*]}")
  while read -r family name; do
    line=$family,$name
    for tool in "${columns[@]}"; do line+=,$(< "$logs/$name.$tool.word"); done
    echo "$line"
  done <<< "$list" | sort
} > "$out/$stem.csv"
{
  awk -F, '{ line = "|"; for (i = 1; i <= NF; ++i) line = line " " $i " |"; print line }
           NR == 1 { line = "|"; for (i = 1; i <= NF; ++i) line = line " --- |"; print line }' "$out/$stem.csv"
  echo
  echo "$(wc -l <<< "$list") programs."
  for i in "${!columns[@]}"; do
    awk -F, -v c=$((i + 3)) -v tool="${columns[$i]}" 'NR > 1 { ++n[$c] }
      END { printf "%s:", tool; for (w in n) printf " %d %s,", n[w], w; print "" }' "$out/$stem.csv" | sed 's/,$//'
  done
} > "$out/$stem.md"
tail -n $((${#columns[@]} + 1)) "$out/$stem.md"
