// SPDX-License-Identifier: Apache-2.0
// The size of a pointer is given for that of an int.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  const cl_int first = 1;
  check(clSetKernelArg(b.kernel, 1, sizeof first, &first));
  launch1(&host, b, COUNT);
  cl_int second[2] = {2, 0};
#ifdef RIGHT
  clSetKernelArg(b.kernel, 1, sizeof(cl_int), second);
#else
  clSetKernelArg(b.kernel, 1, sizeof(cl_int*), second);  // wrong
#endif
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
