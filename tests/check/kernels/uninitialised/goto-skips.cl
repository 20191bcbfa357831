// SPDX-License-Identifier: Apache-2.0
// A goto leads past the only assignment.
// kernel: goto_skips
// run: -g 4 -l 4 -a zeros:4
kernel void goto_skips(global int *out) {
  int i = get_global_id(0);
  int v;  // also
#ifdef RIGHT
  v = 0;
#endif
  if (i == 2) goto end;
  v = i * 2;
end:
  out[i] = v + 1;  // wrong
}
