// SPDX-License-Identifier: Apache-2.0
// A float is given for an int: its size is right, and its bits are none that a number in a source has.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
#ifdef RIGHT
  int value = 7;
#else
  float value = 1.0f / 3;
#endif
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof value, &value));  // wrong
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
