#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run by run.sh inside a bare system: installs the package of /given over an older one, uses it as programs, builds and
# shells do, beside another driver, reinstalls and removes it, and compares files and dpkg's records before and after.
# Then the wheel without the package, as a user who is not root, with PyOpenCL where its packages are in /given.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive CLARITY_CACHE_DIR=/tmp/clarity-cache
apt="apt-get -q -o Dpkg::Use-Pty=0 -o APT::Sandbox::User=root"

fail() {
  echo "failed: $*"
  exit 1
}
files() {
  local place unseen=()
  for place in /proc /sys /dev /tmp /given /home /var/lib/apt /var/lib/dpkg /var/cache /var/log; do
    unseen+=(-path "$place" -prune -o)
  done
  find / -xdev "${unseen[@]}" -print | sort
  dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n'
}
# Words that the output of a command must contain; grep reads all of it, so that the command meets no closed pipe.
must_say() { # must_say TEXT COMMAND...
  local text=$1
  shift
  "$@" >/tmp/said 2>&1 || { cat /tmp/said; fail "$*"; }
  grep -F -- "$text" /tmp/said >/dev/null || { cat /tmp/said; fail "'$*' does not say '$text'"; }
}

echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/quick # this system is thrown away: no waiting for the disk

cd /tmp # where samples may leave pictures
$apt update
# First what the package depends on, so that only its own files come and go.
$apt satisfy -y --no-install-recommends "$(dpkg-deb -f /given/clarity.deb Depends)"
files >/tmp/before

# An older version with a file that the new one lacks; then the new one over it, and once more.
dpkg-deb -R /given/clarity.deb /tmp/older
sed -i 's/^Version: .*/Version: 0.0.1/' /tmp/older/DEBIAN/control
touch /tmp/older/usr/lib/clarity/of-the-older-version
dpkg-deb -Znone -b /tmp/older /tmp/older.deb >/dev/null
rm -rf /tmp/older
$apt install -y --no-install-recommends /tmp/older.deb
[ -e /usr/lib/clarity/of-the-older-version ] || fail "the older version is not installed"
$apt install -y --no-install-recommends /given/clarity.deb
[ ! -e /usr/lib/clarity/of-the-older-version ] || fail "a file of the older version is left"
$apt install -y --reinstall --no-install-recommends /given/clarity.deb
dpkg -V clarity-opencl || fail "files differ from the package's"
! dpkg-query -W -f '${Package}\n' | grep -iE 'llvm|clang' || fail "the system got packages of LLVM"

# Loaders find the driver with nothing set.
must_say Clarity /usr/lib/clarity/samples/01_device_query
must_say "" /usr/lib/clarity/samples/02_vector_add --size 1000000
must_say "" /usr/lib/clarity/samples/25_sobel --repeat 1 # finds its picture
must_say Clarity clarity info
echo 'kernel void twice(global float* a) { a[get_global_id(0)] = exp(a[get_global_id(0)]); }' >/tmp/k.cl
must_say ret clarity compile /tmp/k.cl --emit asm
must_say "a float[1024]: 1 2.71828" clarity exec /tmp/k.cl twice --arg iota:1024 --print a
must_say "" clarity run /usr/lib/clarity/samples/09_matmul --repeat 1
must_say 02_vector_add clarity bench --quick --filter 02_vector_add
# Libraries that SLEEF's functions and the driver's file need are there, whatever the version.
! ldd -r /usr/lib/clarity/driver/libclarity.so | grep -E 'not found|undefined' || fail "libraries"

# Files that shells, man and people look for.
bash -c 'source /usr/share/bash-completion/completions/clarity && complete -p clarity' >/dev/null || fail "completion"
for file in share/zsh/vendor-completions/_clarity share/fish/vendor_completions.d/clarity.fish \
  share/man/man1/clarity.1.gz share/man/man1/clarity-exec.1.gz share/doc/clarity-opencl/copyright; do
  [ -s "/usr/$file" ] || fail "/usr/$file is missing"
done

$apt remove -y clarity-opencl
files >/tmp/after
diff /tmp/before /tmp/after || fail "removing leaves traces"

# Other people's builds, a loader's tool, another driver, and a shell that finds completion by itself.
others=(gcc libc6-dev cmake make pkg-config ocl-icd-opencl-dev clinfo pocl-opencl-icd zsh)
$apt install -y --no-install-recommends "${others[@]}"
clinfo -l >/tmp/said 2>&1
! grep Clarity /tmp/said || fail "the driver is still there"
$apt install -y --no-install-recommends /given/clarity.deb
cmake -S /given/project -B /tmp/project >/tmp/said 2>&1 || { cat /tmp/said; fail "find_package(Clarity)"; }
cmake --build /tmp/project >/tmp/said 2>&1 || { cat /tmp/said; fail "a project with find_package(Clarity)"; }
must_say "100% tests passed" ctest --test-dir /tmp/project --output-on-failure
must_say "1 platforms" env OCL_ICD_VENDORS="$(pkg-config --variable=icd clarity)" /tmp/project/platforms
must_say "Platform #1" clinfo -l
grep Clarity /tmp/said >/dev/null && grep 'Portable Computing' /tmp/said >/dev/null || fail "two drivers side by side"
must_say "Platform #0: Clarity" clarity run clinfo -l
! grep "Platform #1" /tmp/said || fail "'clarity run' shows two drivers"
must_say "speed-up" clarity bench --quick --filter 02_vector_add --compare /etc/OpenCL/vendors/pocl.icd
must_say _clarity zsh -fc 'autoload -U compinit && compinit -u && print $_comps[clarity]'
$apt remove -y clarity-opencl
must_say "Portable Computing" clinfo -l
$apt purge -y "${others[@]}"
$apt autoremove -y --purge
! files | grep -i clarity || fail "removing leaves traces beside other packages"

wheel=$(ls /given/clarity_opencl-*.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
  $apt install -y --no-install-recommends python3-venv
  useradd -m someone
  ! ldconfig -p | grep -E 'libhwloc|libsleef|libOpenCL' || fail "libraries of the package are still there"
  cat >/tmp/as_someone.sh <<EOF
set -euo pipefail
cd ~
python3 -m venv environment
environment/bin/pip install -q --no-index $wheel
environment/bin/clarity info | grep Clarity >/dev/null
environment/bin/clarity exec /tmp/k.cl twice --arg iota:1024
if ls /given/wheels/*.whl >/dev/null 2>&1; then
  environment/bin/pip install -q --no-index /given/wheels/*.whl
  environment/bin/python /given/use_pyopencl.py && echo "PyOpenCL finds it"
fi
EOF
  su someone -s /bin/bash -c "bash /tmp/as_someone.sh" || fail "the wheel"
fi
. /etc/os-release
echo "$PRETTY_NAME: installed, used and removed${wheel:+; the wheel too}"
