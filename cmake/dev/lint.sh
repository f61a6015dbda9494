# Part of ./dev: the form of the sources.

sources() {
  find core algorithms backends bench examples tests -regextype posix-extended -regex '.*\.(cpp|hpp|cu|cuh)' | sort
}

cmd_format() {
  setup build lint
  sources | xargs clang-format -i
}

cmd_lint() {
  setup build lint
  local failed=()
  lint_layers || failed+=(layers)
  say "clang-format"
  sources | xargs clang-format --dry-run --Werror || failed+=(format)
  lint_tidy || failed+=(tidy)
  [ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
}

# core and algorithms know no backend: no include and no symbol of one (words in a comment are fine).
lint_layers() {
  say "layers"
  local found
  found=$(grep -rnE '#\s*include.*(cuda|kokkos|Kokkos|omp\.h|backends/)|\b(cuda[A-Z]\w*|Kokkos::|omp_)\w*|#pragma omp (parallel|for)' \
    core algorithms --include='*.hpp' --include='*.cpp' | grep -vE ':[0-9]+:\s*//' || true)
  [ -z "$found" ] || { printf 'a backend in a neutral layer:\n%s\n' "$found"; return 1; }
  found=$(grep -rlE '#\s*include\s*[<"]Kokkos' backends bench examples tests --include='*.hpp' || true)
  [ -z "$found" ] || { printf 'Kokkos in a header:\n%s\n' "$found"; return 1; }
}

lint_tidy() {
  say "clang-tidy"
  configure cpu build/cpu > /dev/null || return 1
  # In parallel; the sources of the neutral layers and of the cpu backend are what the compile commands know best. Tests do on
  # purpose what the checks are against.
  sources | grep -E '^(core|algorithms|backends/cpu|bench|examples)/.*\.cpp$' | in_compile_commands \
    | xargs -r -P "$jobs" -n 4 clang-tidy --quiet -p build/cpu --extra-arg=-Wno-unknown-warning-option 2> /dev/null
}

in_compile_commands() {
  local file
  while read -r file; do
    ! grep -qF "\"$PWD/$file\"" build/cpu/compile_commands.json || echo "$file"
  done
}
