# SPDX-License-Identifier: Apache-2.0
# darktable's export with five modules, beside the same export without OpenCL. darktable only uses a CPU device if its
# settings say so: the first start writes the device's line, whose eighth number is 1 for "disabled".
title="darktable-cli"
packages="darktable ffmpeg"
remark="settings must allow a CPU device; PoCL 3.1 does not compile darktable's kernels"

export_picture() {
  local result=$1
  shift
  rm -f "$result"
  traced darktable-cli source.png "$APPLICATIONS/darktable.xmp" "$result" --core --library :memory: \
    --configdir "$HOME/darktable" "$@" >darktable.log 2>&1
}

prepare() {
  export HOME=$PWD
  picture 1024x768 source.png
  export_picture cpu.png --disable-opencl
}

work() {
  local settings=$HOME/darktable/darktablerc
  if [ ! -e "$settings" ]; then
    export_picture first.png
    sed -Ei 's/^(cldevice_v4_[^=]*=0 [0-9]+ 0 16 16 128 0) 1/\1 0/' "$settings"
  fi
  export_picture opencl.png -d opencl -d perf
  # darktable measures a new device, and turns OpenCL off for good if its CPU code was faster.
  if grep -q 'due to a slow GPU the opencl flag has been set to OFF' darktable.log; then
    sed -i 's/^opencl=FALSE/opencl=TRUE/' "$settings"
    export_picture opencl.png -d opencl -d perf
  fi
}

check() {
  local modules
  modules=$(grep -c 'on GPU, blended on GPU' darktable.log) || wrong "no module ran on OpenCL"
  [ "$modules" -ge 5 ] || wrong "only $modules modules ran on OpenCL"
  launched
  pixels opencl.png opencl.rgb
  pixels cpu.png cpu.rgb
  compare --largest 2 --many 0.0001 --mean 0.1 opencl.rgb cpu.rgb
  echo "$modules modules against those of the CPU"
}
