// SPDX-License-Identifier: Apache-2.0
// A number is given in place of its address.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  size_t value = 1000;
  cl_int number = (cl_int)value;
  setMemory(b, 0, m);
#ifdef RIGHT
  clSetKernelArg(b.kernel, 1, sizeof number, &number);
#else
  clSetKernelArg(b.kernel, 1, sizeof number, (void*)value);  // wrong
  clSetKernelArg(b.kernel, 1, sizeof number, &number);
#endif
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
