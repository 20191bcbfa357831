# SPDX-License-Identifier: Apache-2.0
# VkFFT's OpenCL back end transforms signals of three frequencies forth and back (vkfft.c).
title="VkFFT"
packages="libvkfft-dev ocl-icd-opencl-dev gcc"

prepare() { gcc -O1 -w -DVKFFT_BACKEND=3 -o transform "$APPLICATIONS/apps/vkfft.c" -lOpenCL -lm; }

work() { ./transform >vkfft.log || wrong "$(tail -n 1 vkfft.log)"; }

check() {
  grep -qx 'all right' vkfft.log || wrong "$(tail -n 1 vkfft.log)"
  echo "spectra of seven lengths (8 to 65536), and back, float and double"
}
