#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the .deb and the wheel of a release build and tries them where nothing of Clarity's is: the package on bare
# Debian and Ubuntu systems (debootstrap), the wheel with PyOpenCL in a new virtual environment. Needs root, a network
# and the programs debootstrap and patchelf; what is not there is skipped with a word.
#   tests/install/run.sh                     build/release, all systems
#   tests/install/run.sh BUILD [SYSTEM...]   bookworm, trixie, noble, pyopencl, recipes (of docs/ci.md, on bookworm)
# CLARITY_TEST_PACKAGES=FOLDER names packages that were made before; what is not there is made, and kept there.
# Ubuntu's system needs its keyring, or CLARITY_UBUNTU_MIRROR=https://... The bare systems are kept for the next time in
# CLARITY_TEST_ROOTS (default: /var/tmp/clarity-roots).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:-$here/../../build/release}" && pwd)
shift || true
systems=("$@")
[ ${#systems[@]} -gt 0 ] || systems=(bookworm trixie noble pyopencl recipes)
roots=${CLARITY_TEST_ROOTS:-/var/tmp/clarity-roots}
scratch=$(mktemp -d)
packages=${CLARITY_TEST_PACKAGES:-$scratch/packages}
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0
most_packed=26000000 # bytes

result() { # result STATUS WHAT...
  local status=$1
  shift
  echo "$status: $*"
  case $status in pass) passed=$((passed + 1)) ;; fail) failed=$((failed + 1)) ;; skip) skipped=$((skipped + 1)) ;; esac
}

# A bare system in $roots/NAME; fails when it cannot be made.
bare_system() {
  local name=$1 options=() mirror=()
  mkdir -p "$roots"
  [ -e "$roots/$name/complete" ] && return
  if [ "$name" = noble ]; then
    # Debian has no keyring of Ubuntu's. Without one, the mirror's certificate says whose packages these are.
    options=(--components="main,universe")
    mirror=("${CLARITY_UBUNTU_MIRROR:-}" /usr/share/debootstrap/scripts/gutsy)
    if [ ! -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]; then
      options+=(--no-check-gpg)
      [[ ${mirror[0]} == https://* ]] || {
        echo "no keyring of Ubuntu's, and CLARITY_UBUNTU_MIRROR names no mirror by https" >"$roots/$name.log"
        return 1
      }
    fi
  fi
  rm -rf "${roots:?}/$name"
  debootstrap --variant=minbase "${options[@]}" "$name" "$roots/$name" "${mirror[@]}" \
    >"$roots/$name.log" 2>&1 </dev/null || return
  touch "$roots/$name/complete"
}

# PyOpenCL, pytest and what they need for the Python of a system, if pip can get them: the system itself needs no
# network then.
python_packages() {
  local python
  case $1 in bookworm) python=3.11 ;; trixie) python=3.13 ;; noble) python=3.12 ;; esac
  mkdir -p "$2"
  if ! python3 -m pip download --quiet --only-binary=:all: --python-version "$python" --dest "$2" pyopencl pytest \
    >"$scratch/pip.log" 2>&1; then
    rm -rf "$2"
    result skip "$1: pip could not get PyOpenCL for its Python: $(tail -n 1 "$scratch/pip.log")"
  fi
}

try_system() { # try_system SYSTEM [SCRIPT]: a script of this folder inside a copy of the system
  local name=$1 copy=$scratch/$1 script=${2:-in_bare_system.sh}
  if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    result skip "$name: needs root and debootstrap"
    return
  fi
  if ! bare_system "$name"; then
    result skip "$name: debootstrap could not make the system: $(tail -n 1 "$roots/$name.log")"
    return
  fi
  cp -a "$roots/$name" "$copy"
  cp /etc/resolv.conf "$copy/etc/resolv.conf"
  # Inside, apt has its keyring and checks signatures; the certificates of this machine are not there.
  [ ! -f "$copy/etc/apt/sources.list" ] || sed -i 's|https://|http://|' "$copy/etc/apt/sources.list"
  mkdir "$copy/given"
  cp "$deb" "$copy/given/clarity.deb"
  [ -z "$wheel" ] || cp "$wheel" "$copy/given/"
  cp "$here/$script" "$here/use_pyopencl.py" "$here/../../docs/ci.md" "$copy/given/"
  cp -r "$here/project" "$here/recipe_project" "$copy/given/"
  sed -i "s/@VERSION@/$version/" "$copy/given/project/CMakeLists.txt"
  if [ -n "$wheel" ]; then python_packages "$name" "$copy/given/wheels"; fi
  # The mounts go with the name space.
  if unshare --mount bash -c 'mount -t proc proc "$1/proc" && mount -t sysfs -o ro sysfs "$1/sys" &&
      mount --rbind /dev "$1/dev" &&
      exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        bash "/given/$2"' - "$copy" "$script" >"$scratch/$name.log" 2>&1 </dev/null; then
    result pass "$name: $(tail -n 1 "$scratch/$name.log")"
  else
    tail -n 40 "$scratch/$name.log"
    result fail "$name"
  fi
  rm -rf "$copy"
}

try_pyopencl() {
  if [ -z "$wheel" ]; then
    result skip "pyopencl: no wheel was made"
    return
  fi
  python3 -m venv "$scratch/environment"
  local python=$scratch/environment/bin/python
  if ! "$python" -m pip install --quiet pyopencl >"$scratch/pip.log" 2>&1; then
    tail -n 3 "$scratch/pip.log"
    result skip "pyopencl: pip could not install it"
    return
  fi
  if "$python" -m pip install --quiet --no-index "$wheel" && "$python" "$here/use_pyopencl.py" &&
    "$scratch/environment/bin/clarity" info >/dev/null; then
    result pass "pyopencl: finds the platform and runs a kernel"
  else
    result fail "pyopencl"
  fi
}

mkdir -p "$packages"
if ! ls "$packages"/*.deb >/dev/null 2>&1; then
  (cd "$build" && cpack -G DEB -B "$packages" >"$scratch/cpack.log" 2>&1) || {
    tail -n 20 "$scratch/cpack.log"
    exit 1
  }
  rm -rf "$packages/_CPack_Packages"
fi
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$build/CMakeCache.txt")
deb=$(ls "$packages"/*.deb)
size=$(stat -c %s "$deb")
if [ "$size" -le $most_packed ]; then
  result pass "$(basename "$deb"): $size bytes"
else
  result fail "$(basename "$deb"): $size bytes, more than $most_packed"
fi
if ! ls "$packages"/*.whl >/dev/null 2>&1 && command -v patchelf >/dev/null; then
  python3 "$here/../../packaging/wheel/build_wheel.py" --build "$build" --version "$version" --output "$packages" \
    >"$scratch/wheel.log"
fi
wheel=$(ls "$packages"/*.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
  result pass "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"
else
  result skip "the wheel: needs patchelf"
fi
for system in "${systems[@]}"; do
  case $system in
    pyopencl) try_pyopencl ;;
    bookworm | trixie | noble) try_system "$system" ;;
    recipes) try_system bookworm recipes.sh ;;
    *) result fail "'$system' is none of: bookworm, trixie, noble, pyopencl, recipes" ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
