// SPDX-License-Identifier: Apache-2.0
// An array of floating-point numbers is given for a vector of integers.
// kind: argument-kind
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, "kernel void k(global int* a, int4 s) { a[get_global_id(0)] = s.x + s.w; }", "k", "");
  cl_mem m = makeBuffer(&host, BYTES);
#ifdef RIGHT
  const int given[4] = {0, 1, 2, 3};
#else
  const float given[4] = {0, 1.0f / 3, 2.0f / 3, 1};
#endif
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof given, given));  // wrong
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
