// SPDX-License-Identifier: Apache-2.0
// An int is given for a float; right, an integer holds the bits of one.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
#ifdef RIGHT
  unsigned factor;
  const float two = 2.25f;
  memcpy(&factor, &two, sizeof factor);
#else
  int factor = 100000000;
#endif
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));  // wrong
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
