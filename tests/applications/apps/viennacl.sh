# SPDX-License-Identifier: Apache-2.0
# ViennaCL's conjugate gradients on a Poisson equation (viennacl.cpp).
title="ViennaCL: conjugate gradients"
packages="libviennacl-dev ocl-icd-opencl-dev g++"

prepare() { g++ -O1 -w -o solve "$APPLICATIONS/apps/viennacl.cpp" -lOpenCL; }

work() { ./solve >viennacl.log; }

check() {
  grep -qx 'all right' viennacl.log || wrong "$(tail -n 1 viennacl.log)"
  echo "residual and solution of 40000 equations"
}
