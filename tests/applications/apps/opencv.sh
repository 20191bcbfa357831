# SPDX-License-Identifier: Apache-2.0
# OpenCV's T-API (UMat) beside the same functions on the CPU.
title="OpenCV: T-API"
packages="python3-opencv"

work() {
  export OPENCV_OPENCL_DEVICE=:CPU:
  rm -f trace
  traced /usr/bin/python3 "$APPLICATIONS/apps/use_opencv.py" >opencv.log
}

check() {
  grep -qx 'all right' opencv.log || wrong "$(tail -n 1 opencv.log)"
  launched
  grep -v 'all right' opencv.log | tail -n 1
}
