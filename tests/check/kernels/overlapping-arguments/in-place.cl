// SPDX-License-Identifier: Apache-2.0
// A kernel whose arguments are restrict is run in place.
// kernel: in_place
// run: -g 8 -l 8 -a iota:8 -a same:0
#ifdef RIGHT
#define PROMISE
#else
#define PROMISE restrict
#endif
kernel void in_place(global const int *PROMISE in, global int *PROMISE out) {
  const int i = get_global_id(0);
  out[i] = in[i] * 2;  // wrong
}
