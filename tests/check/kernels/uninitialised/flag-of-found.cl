// SPDX-License-Identifier: Apache-2.0
// Whether something was found is only ever set to true.
// kernel: flag_of_found
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void flag_of_found(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  bool found = false;
#else
  bool found;  // also
#endif
  for (int k = 0; k < 8; ++k)
    if (in[k] == i + 4) found = true;
  if (found)  // wrong
    out[i] = 1;
}
