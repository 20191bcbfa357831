// SPDX-License-Identifier: Apache-2.0
// A pointer to local memory is null in one work-item.
// kernel: local_null
// run: -g 4 -l 4 -a zeros:4
kernel void local_null(global int *out) {
  local int tile[4];
  const int l = get_local_id(0);
#ifdef RIGHT
  local int *p = tile;
#else
  local int *p = l == 3 ? (local int *)0 : tile;
#endif
  p[l] = l;  // wrong
  out[l] = l;
}
