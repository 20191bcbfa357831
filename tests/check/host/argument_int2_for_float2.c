// SPDX-License-Identifier: Apache-2.0
// Two integers are given for two floating-point numbers: a vector, whose size is right.
// kind: argument-kind
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, "kernel void k(global float* a, float2 s) { a[get_global_id(0)] = s.x * s.y; }", "k", "");
  cl_mem m = makeBuffer(&host, BYTES);
#ifdef RIGHT
  const cl_float2 given = {{1, 2}};
#else
  const cl_int2 given = {{1, 2}};
#endif
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof given, &given));  // wrong
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
