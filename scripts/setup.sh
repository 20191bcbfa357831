#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by run.sh and test.sh: installs missing packages, configures and builds a preset. Touches nothing outside
# the build folder except packages.

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "packages are missing and must be installed by root: $*"
  fi
}

install_packages() {
  local wanted missing
  wanted=$(grep -v '^#' "$root/cmake/packages.txt")
  missing=$(comm -23 <(sort -u <<<"$wanted") \
    <(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^ii //p' | sort -u))
  [ -z "$missing" ] && return
  command -v apt-get >/dev/null ||
    fail "this script installs packages with apt-get, which is not here; needed:" $missing
  echo "installing packages:" $missing
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update >"$root/build/packages.log" 2>&1 ||
    echo "apt-get update reported errors (build/packages.log); trying with the lists that are there" >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing \
    >>"$root/build/packages.log" 2>&1 || {
    tail -n 20 "$root/build/packages.log" >&2
    fail "apt-get could not install the packages above; LLVM 22 must be in the distribution's repositories"
  }
}

# build PRESET [TARGET...]: into build/PRESET
build() {
  local preset=$1 folder=$root/build/$1 launcher=()
  shift
  if [ ! -f "$folder/build.ninja" ]; then
    if command -v ccache >/dev/null; then
      # ccache's documentation: settings for precompiled headers.
      local ccache="env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache"
      launcher=("-DCMAKE_C_COMPILER_LAUNCHER=$ccache" "-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache")
    fi
    (cd "$root" && cmake --preset "$preset" "${launcher[@]}" >"$folder.configure.log" 2>&1) || {
      tail -n 30 "$folder.configure.log" >&2
      fail "configuring failed (build/$preset.configure.log)"
    }
  fi
  if [ -t 1 ]; then
    NINJA_STATUS='[%f/%t, %e s] ' ninja -C "$folder" "$@" || fail "the build failed"
  else
    ninja -C "$folder" "$@" >"$folder.build.log" 2>&1 || {
      grep -E 'error|FAILED|undefined' "$folder.build.log" | head -n 40 >&2
      fail "the build failed (build/$preset.build.log)"
    }
  fi
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$root/build"
