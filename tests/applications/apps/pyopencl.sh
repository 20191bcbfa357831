# SPDX-License-Identifier: Apache-2.0
# PyOpenCL: arrays, reductions, scans, sorting, random numbers and images beside NumPy.
title="PyOpenCL"
packages="python3-pyopencl"

work() { PYOPENCL_CTX=0 /usr/bin/python3 "$APPLICATIONS/apps/use_pyopencl.py" >pyopencl.log; }

check() {
  grep -qx 'all right' pyopencl.log || wrong "$(tail -n 1 pyopencl.log)"
  echo "arrays, reduction, scan, sort and images against NumPy"
}
