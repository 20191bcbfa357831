// SPDX-License-Identifier: Apache-2.0
// An array of pointers leads to private memory, which is left.
// kernel: private_pointers_in_array
// run: -g 4 -l 4 -a zeros:4
// bounds: a pointer from memory is not looked at
kernel void private_pointers_in_array(global int *out) {
  int a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
  int *both[2] = {a, b};
  const int l = get_local_id(0);
#ifdef RIGHT
  out[l] = both[l & 1][l % 3];
#else
  out[l] = both[l & 1][l];  // wrong
#endif
}
