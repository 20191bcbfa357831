// SPDX-License-Identifier: Apache-2.0
// The first half of a size_t is given for an int.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
#ifdef RIGHT
  cl_int n = 3;
  check(clSetKernelArg(b.kernel, 1, sizeof n, &n));
#else
  size_t n = 3;
  check(clSetKernelArg(b.kernel, 1, sizeof(cl_int), &n));  // wrong
#endif
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
