# SPDX-License-Identifier: Apache-2.0
# Mandelbulber renders one fractal, beside its own renderer on the CPU. The device is chosen on its command line: the
# type cpu, and the hash by which its list of devices names it.
title="Mandelbulber"
packages="mandelbulber2 ffmpeg"
remark="device chosen by \`opencl_device_type=3\` and \`opencl_device_list\`"

# render RESULT OPTIONS
render() {
  rm -f "$1"
  traced mandelbulber2 -n -f png -r 320x240 -o "$1" -O "$2" bulb.fract >mandelbulber.log 2>&1 </dev/null
}

prepare() {
  export HOME=$PWD QT_QPA_PLATFORM=offscreen
  cat >bulb.fract <<'LINES'
# Mandelbulber settings file
# version 2.17
# only modified parameters
[main_parameters]
formula_1 2;
glow_enabled false;
[fractal_1]
power 8;
LINES
  render cpu.png "opencl_enabled=0"
}

work() {
  export QT_QPA_PLATFORM=offscreen
  local device
  device=$(mandelbulber2 -n -O 'opencl_enabled=1#opencl_device_type=3' --help-opencl 2>/dev/null |
    sed -n 's/.*hash: \([0-9a-f]*\).*/\1/p' | head -n 1)
  rm -f trace
  render opencl.png \
    "opencl_enabled=1#opencl_platform=0#opencl_device_type=3#opencl_device_list=$device#opencl_mode=3"
}

check() {
  grep -q 'OpenCL - rendering image finished' mandelbulber.log || wrong "no kernel ran: $(tail -n 1 mandelbulber.log)"
  launched
  pixels opencl.png opencl.rgb
  pixels cpu.png cpu.rgb
  # At the edge of the fractal a ray may hit or miss.
  compare --largest 16 --many 0.005 --mean 0.5 opencl.rgb cpu.rgb
  echo "one fractal against its renderer on the CPU"
}
