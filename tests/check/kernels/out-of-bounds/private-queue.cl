// SPDX-License-Identifier: Apache-2.0
// A queue in private memory is too short; it is written and read behind its end.
// kernel: bfs
// run: -g 2 -a iota:32 -a zeros:2
// findings: 1
kernel void bfs(global const int *unused, global int *out) {
  int q[8], head = 0, tail = 0, seen = 0;
  q[tail++] = 1;
  for (int n = 0; n < 12 && head < tail; ++n) {
    int v = q[head++];  // wrong
    ++seen;
    for (int k = 0; k < 2; ++k) {
      int w = 2 * v + k;
#ifdef RIGHT
      if (w < 8)
#else
      if (w < 10)
#endif
        q[tail++] = w;  // wrong
    }
  }
  out[get_global_id(0)] = seen;
}
