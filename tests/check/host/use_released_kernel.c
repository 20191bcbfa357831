// SPDX-License-Identifier: Apache-2.0
// A kernel is released in the loop that launches it.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_int value = 1;
  const size_t global = COUNT;
  for (int i = 0; i < 2; ++i) {
    clSetKernelArg(b.kernel, 0, sizeof m, &m);  // wrong
    clSetKernelArg(b.kernel, 1, sizeof value, &value);  // also
    clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // also
    check(clFinish(host.queue));
#ifndef RIGHT
    if (i == 0) clReleaseKernel(b.kernel);  // also
#endif
  }
#ifdef RIGHT
  check(clReleaseKernel(b.kernel));
#endif
  check(clReleaseProgram(b.program));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
