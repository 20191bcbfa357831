# SPDX-License-Identifier: Apache-2.0
# x264 with its lookahead on OpenCL: the film that is decoded is as near to the source as that of an encode without
# OpenCL, and about as large. x264 asks for GPUs only (clGetDeviceIDs with CL_DEVICE_TYPE_GPU).
title="x264: lookahead"
packages="x264 ffmpeg"
remark="x264 uses devices of type GPU only: Clarity ran with CLARITY_DEVICE_TYPE=gpu, and PoCL's CPU is not used"

encode() { traced x264 --quiet --threads 1 --lookahead-threads 1 --crf 20 "$@" source.y4m >x264.log 2>&1; }

# Peak signal-to-noise ratio in hundredths of a decibel.
quality() {
  ffmpeg -nostdin -i "$1" -i source.y4m -lavfi psnr -f null - 2>&1 |
    sed -n 's/.*average:\([0-9]*\)\.\([0-9][0-9]\).*/\1\2/p'
}

prepare() {
  ffmpeg -v error -nostdin -y -f lavfi -i testsrc2=size=640x360:rate=25:duration=2 -pix_fmt yuv420p source.y4m
  encode -o cpu.264
}

work() {
  export CLARITY_DEVICE_TYPE=gpu
  rm -f trace used
  encode --opencl --opencl-clbin "$HOME/x264.clbin" -o opencl.264
  # It stores the compiled kernels if it uses any.
  [ ! -s "$HOME/x264.clbin" ] || touch used
}

check() {
  [ -e used ] || wrong "x264 found no device that it uses: $(tail -n 1 x264.log)"
  launched
  local opencl cpu
  opencl=$(quality opencl.264)
  cpu=$(quality cpu.264)
  [ "$opencl" -ge $((cpu - 50)) ] || wrong "$opencl hundredths of a decibel, $cpu without OpenCL"
  [ "$(stat -c %s opencl.264)" -le $(($(stat -c %s cpu.264) * 5 / 4)) ] || wrong "the film is much larger"
  echo "PSNR and size of the film as without OpenCL"
}
