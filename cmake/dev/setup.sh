# Part of ./dev: finds out what is missing and installs it.
# Programs come from packages of the system. Kokkos' sources and the headers of a few libraries go to .deps, which can be
# copied to a machine without a network.

deps=$PWD/.deps
header_packages=(doctest-dev libcli11-dev nlohmann-json3-dev libfmt-dev)

cmd_setup() {
  [ $# -eq 0 ] || die "setup takes no arguments"
  setup build
  say "set up: everything is there"
}

# setup build [tsan] [lint] [docs]: the purposes whose needs are to be met.
setup() {
  local purpose packages=()
  for purpose in "$@"; do
    mapfile -t -O "${#packages[@]}" packages < <("missing_for_$purpose")
  done
  local first_time=
  deps_complete || first_time=yes
  if [ -n "$first_time" ] || [ ${#packages[@]} -gt 0 ]; then
    install_packages "${packages[@]}"
  fi
  [ -z "$first_time" ] || fill_deps
}

missing_for_build() {
  have "${CXX:-g++}" || have c++ || echo g++
  have cmake || echo cmake
  have ninja || have make || echo ninja-build
}

missing_for_tsan() {
  have clang++ || echo clang
  [ -n "$(find /usr/lib/llvm-*/lib -name libarcher.so 2> /dev/null)" ] || echo libomp-dev
  [ -n "$(find /usr/lib/llvm-*/lib -name 'libclang_rt.tsan*' 2> /dev/null)" ] || echo libclang-rt-dev
}

missing_for_lint() {
  have clang-format || echo clang-format
  have clang-tidy || echo clang-tidy
}

missing_for_docs() { have doxygen || echo doxygen; }

# Nice to have: asked for only when a machine is set up for the first time, and never a reason to stop.
missing_extras() {
  have ninja || echo ninja-build
  have ccache || echo ccache
  have_openblas || echo libopenblas-dev
  have_highway || echo libhwy-dev
}

# The library itself: other packages bring a cblas.h as well, and a slower one behind it.
have_openblas() {
  compgen -G '/usr/lib/*/libopenblas.so' > /dev/null || compgen -G '/usr/lib*/libopenblas.so' > /dev/null \
    || compgen -G '/usr/local/lib*/libopenblas.so' > /dev/null
}

have_highway() {
  compgen -G '/usr/include/hwy/contrib/sort/vqsort.h' > /dev/null || compgen -G '/usr/local/include/hwy/contrib/sort/vqsort.h' > /dev/null
}

deps_complete() {
  [ -n "$(missing_deps)" ] && return 1 || return 0
}

missing_deps() {
  kokkos_is_installed || [ -e "$deps/kokkos/CMakeLists.txt" ] || echo kokkos
  local header
  for header in doctest/doctest.h CLI/CLI.hpp nlohmann/json.hpp fmt/format.h; do
    [ -e "$deps/include/$header" ] || echo "$header"
  done
}

kokkos_is_installed() { [ -n "${Kokkos_ROOT:-}${Kokkos_DIR:-}" ]; }

install_packages() {
  local required=("$@") extras=()
  if [ "$(id -u)" -ne 0 ] || ! have apt-get; then
    [ ${#required[@]} -eq 0 ] && return
    die "missing, and root or another package manager is needed to install them: ${required[*]}"
  fi
  mapfile -t extras < <(missing_extras | grep -vxF "$(printf '%s\n' "${required[@]}" -)")
  [ $((${#required[@]} + ${#extras[@]})) -eq 0 ] && return
  say "installing packages: ${required[*]} ${extras[*]}"
  apt_get_quietly update || true
  if ! apt_get_quietly install "${required[@]}" "${extras[@]}"; then
    [ ${#required[@]} -eq 0 ] || apt_get_quietly install "${required[@]}" || die "apt-get could not install: ${required[*]}"
    [ ${#extras[@]} -eq 0 ] || say "going on without ${extras[*]}"
  fi
}

apt_get_quietly() {
  local log
  log=$(mktemp)
  if DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends "$@" > "$log" 2>&1; then
    rm -f "$log"
  else
    tail -n 5 "$log" >&2
    rm -f "$log"
    return 1
  fi
}

fill_deps() {
  have apt-get || return 0 # CMake tries Kokkos' release archive and the system's headers, and says what it lacks
  say "fetching into .deps: $(missing_deps | tr '\n' ' ')"
  local work
  work=$(mktemp -d)
  private_apt "$work" update > "$work/log" 2>&1 || true
  fetch_headers "$work" || say "no headers: $(tail -n 1 "$work/log")"
  kokkos_is_installed || [ -e "$deps/kokkos/CMakeLists.txt" ] || fetch_kokkos "$work" || say "no Kokkos: $(tail -n 1 "$work/log")"
  rm -rf "$work"
  if ! deps_complete; then
    say "still missing: $(missing_deps | tr '\n' ' '); CMake will look for them in the system"
  fi
}

# apt-get with lists, cache and sources of its own under $1: it needs no root and leaves no trace in the system. Its
# sources are the machine's own entries for this release, with source packages switched on.
private_apt() {
  local work=$1
  shift
  if [ ! -d "$work/sources" ]; then
    mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
    private_sources "$work/sources"
  fi
  (cd "$work" && apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources" \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" "$@")
}

private_sources() {
  local codename file
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -r "$file" ] || continue
    one_line_sources "$codename" < "$file" > "$1/$(basename "$file" .list)-private.list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -r "$file" ] || continue
    deb822_sources "$codename" < "$file" > "$1/$(basename "$file" .sources)-private.sources"
  done
}

# deb [options] URI SUITE COMPONENT...: those of this release with a component main, as deb and as deb-src.
one_line_sources() {
  awk -v codename="$1" '
    $1 == "deb" {
      line = $0; sub(/#.*/, "", line)
      bare = line; sub(/\[[^]]*\]/, "", bare)
      count = split(bare, word, " ")
      main = 0
      for (i = 4; i <= count; i++) if (word[i] == "main") main = 1
      if (!main || (word[3] !~ "^" codename "(-|$)" && word[3] !~ /^(stable|oldstable|testing|sid|unstable)(-|$)/)) next
      print line
      sub(/deb/, "deb-src", line); print line
    }'
}

deb822_sources() {
  awk -v codename="$1" '
    BEGIN { RS = ""; ORS = "\n\n" }
    {
      stanza = ""; main = 0; suite = 0
      count = split($0, line, "\n")
      for (i = 1; i <= count; i++) {
        if (line[i] ~ /^#/) continue
        if (line[i] ~ /^Types:/) { if (line[i] !~ /deb( |$)/) break; line[i] = "Types: deb deb-src" }
        if (line[i] ~ /^Components:.* main( |$)/) main = 1
        if (line[i] ~ ("^Suites:.* (" codename "|stable|oldstable|testing|sid|unstable)(-| |$)")) suite = 1
        stanza = stanza (stanza == "" ? "" : "\n") line[i]
      }
      if (main && suite) print stanza
    }'
}

fetch_headers() {
  local work=$1 package folder
  private_apt "$work" download "${header_packages[@]}" >> "$work/log" 2>&1 || return 1
  mkdir -p "$deps/include"
  for package in "$work"/*.deb; do
    dpkg-deb -x "$package" "$work/root" || return 1
  done
  for folder in doctest CLI nlohmann fmt; do
    rm -rf "$deps/include/$folder"
    cp -r "$work/root/usr/include/$folder" "$deps/include/" || return 1
  done
}

# Debian's and Ubuntu's trilinos carries Kokkos' sources. Kept: the library and what its CMake files ask for.
fetch_kokkos() {
  local work=$1 archive
  private_apt "$work" source --download-only trilinos >> "$work/log" 2>&1 || return 1
  archive=$(echo "$work"/trilinos_*.orig.tar.*)
  case $archive in
    *.xz) have xz || install_packages xz-utils ;;
  esac
  tar -xf "$archive" -C "$work" --wildcards --strip-components=2 --exclude='*/unit_test*' --exclude='*/perf*_test*' \
    --exclude='*/kokkos/doc' --exclude='*/kokkos/benchmarks' --exclude='*/kokkos/scripts' '*/packages/kokkos/*' >> "$work/log" 2>&1 || return 1
  mkdir -p "$deps"
  rm -rf "$deps/kokkos"
  cp -r "$work/kokkos" "$deps/kokkos.part" && mv "$deps/kokkos.part" "$deps/kokkos"
}
