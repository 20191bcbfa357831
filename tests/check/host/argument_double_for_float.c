// SPDX-License-Identifier: Apache-2.0
// The first half of a double is given for a float.
// kind: argument-kind api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      kernelSource, "scale", "");
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  setMemory(b, 0, m);
#ifdef RIGHT
  cl_float n = 3;
  check(clSetKernelArg(b.kernel, 1, sizeof n, &n));
#else
  double n = 3;
  check(clSetKernelArg(b.kernel, 1, sizeof(cl_float), &n));  // wrong
#endif
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
