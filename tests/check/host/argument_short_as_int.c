// SPDX-License-Identifier: Apache-2.0
// A short is given as an int.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
#ifdef RIGHT
  cl_int value = 7;
#else
  short value = 7;
#endif
  check(clSetKernelArg(b.kernel, 1, sizeof(cl_int), &value));  // wrong
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
