// SPDX-License-Identifier: Apache-2.0
// The size of work-groups does not divide the number of work-items.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      kernelSource, "fill", "-cl-std=CL1.2");
  cl_mem m = makeBuffer(&host, BYTES);
  const int v = 1;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, 4, &v));
#ifdef RIGHT
  const size_t g = 1024, l = 64;
#else
  const size_t g = 1000, l = 64;
#endif
  clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &g, &l, 0, NULL, NULL);  // wrong
  check(clFinish(host.queue));  // also
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
