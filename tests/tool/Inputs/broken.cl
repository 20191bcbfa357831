// SPDX-License-Identifier: Apache-2.0
// This file does not compile: the name in line 4 is not declared.
__kernel void broken(__global int *out) {
  out[0] = undeclared_name;
}
