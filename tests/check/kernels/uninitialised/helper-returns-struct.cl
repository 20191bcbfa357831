// SPDX-License-Identifier: Apache-2.0
// A function returns a structure of which a member is set in some cases.
// kernel: helper_returns_struct
// run: -g 4 -l 4 -a iota:16 -a zeros:16
typedef struct { int found; int at; } Result;
Result look(global const int *in, int what) {
  Result r;  // also
  r.found = 0;
#ifdef RIGHT
  r.at = -1;
#endif
  for (int k = 0; k < 3; ++k)
    if (in[k] == what) {
      r.found = 1;
      r.at = k;
    }
  return r;
}
kernel void helper_returns_struct(global const int *in, global int *out) {
  const int i = get_global_id(0);
  Result r = look(in, i);
  out[i] = r.at + 1;  // wrong
}
