#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run by run.sh inside a bare system: installs the package of /given, uses it, removes it, and compares the files before
# and after. Then the wheel, without the package.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive CLARITY_CACHE_DIR=/tmp/clarity-cache

fail() {
  echo "failed: $*"
  exit 1
}
files() {
  local place unseen=()
  for place in /proc /sys /dev /tmp /given /var/lib/apt /var/lib/dpkg /var/cache /var/log; do
    unseen+=(-path "$place" -prune -o)
  done
  find / -xdev "${unseen[@]}" -print | sort
}

cd /tmp # where samples may leave pictures
apt-get -q update
# First what the package depends on, so that only its own files come and go.
apt-get -q satisfy -y --no-install-recommends "$(dpkg-deb -f /given/clarity.deb Depends)"
files >/tmp/before
apt-get -q install -y --no-install-recommends /given/clarity.deb
dpkg -V clarity-opencl || fail "files differ from the package's"
! dpkg-query -W -f '${Package}\n' | grep -iE 'llvm|clang' || fail "the system got packages of LLVM"

# Loaders find the driver with nothing set; the first line of a sample's report names the device.
/usr/lib/clarity/samples/01_device_query | grep Clarity >/dev/null || fail "the loader does not find the driver"
/usr/lib/clarity/samples/02_vector_add --size 1000000
/usr/lib/clarity/samples/25_sobel --repeat 1 >/dev/null || fail "a sample does not find its picture"
clarity info | grep Clarity >/dev/null || fail "clarity info"
echo 'kernel void twice(global float* a) { a[get_global_id(0)] = exp(a[get_global_id(0)]); }' >/tmp/k.cl
clarity compile /tmp/k.cl --emit asm | grep ret >/dev/null || fail "clarity compile"
clarity exec /tmp/k.cl twice --global 1024 --arg iota:1024
clarity run /usr/lib/clarity/samples/09_matmul --repeat 1 >/dev/null || fail "clarity run"
# What the functions of SLEEF and the file of the driver need is there, whatever its version.
! ldd -r /usr/lib/libclarity.so | grep -E 'not found|undefined' || fail "libraries"

apt-get -q remove -y clarity-opencl
files >/tmp/after
diff /tmp/before /tmp/after || fail "removing leaves traces"
# dpkg remembers a package that has a script for its removal (CPack's calls ldconfig) until it is purged.
apt-get -q purge -y clarity-opencl
! dpkg-query -W clarity-opencl >/dev/null 2>&1 || fail "purging leaves a record"
apt-get -q autoremove -y --purge

wheel=$(ls /given/*.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
  apt-get -q install -y --no-install-recommends python3-venv
  python3 -m venv /tmp/environment
  /tmp/environment/bin/pip install -q --no-index "$wheel"
  ! ldconfig -p | grep -E 'libtbb|libhwloc|libsleef|libOpenCL' || fail "libraries of the package are still there"
  /tmp/environment/bin/clarity info | grep Clarity >/dev/null || fail "clarity of the wheel"
  /tmp/environment/bin/clarity exec /tmp/k.cl twice --global 1024 --arg iota:1024
fi
. /etc/os-release
echo "$PRETTY_NAME: installed, used and removed${wheel:+; the wheel too}"
