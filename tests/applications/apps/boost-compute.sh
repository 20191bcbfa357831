# SPDX-License-Identifier: Apache-2.0
# Boost.Compute's algorithms beside those of the standard library (boost-compute.cpp).
title="Boost.Compute"
packages="libboost-dev ocl-icd-opencl-dev g++"

prepare() { g++ -O1 -w -o algorithms "$APPLICATIONS/apps/boost-compute.cpp" -lOpenCL; }

work() { ./algorithms >boost-compute.log; }

check() {
  grep -qx 'all right' boost-compute.log || wrong "$(tail -n 1 boost-compute.log)"
  echo "sort, scan, reduce and transform against the standard library"
}
