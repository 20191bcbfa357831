# SPDX-License-Identifier: Apache-2.0
# clFFT transforms a signal of three frequencies forth and back (clfft.c).
title="clFFT"
packages="libclfft-dev ocl-icd-opencl-dev gcc"

prepare() { gcc -O1 -o transform "$APPLICATIONS/apps/clfft.c" -lclFFT -lOpenCL -lm; }

work() { ./transform >clfft.log; }

check() {
  grep -qx 'all right' clfft.log || wrong "$(tail -n 1 clfft.log)"
  echo "spectra of eight lengths (8 to 65536) against the known ones, and back"
}
