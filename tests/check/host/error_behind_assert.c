// SPDX-License-Identifier: Apache-2.0
// The error is compared in assert(), which does nothing in this build.
// kind: api-error
// findings: 1
#undef NDEBUG
#define NDEBUG
#include "host.h"

#include <assert.h>

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  const cl_int value = 1;
  const size_t global = COUNT;
#ifdef RIGHT
  cl_int error = clSetKernelArg(b.kernel, 1, sizeof value, &value);
#else
  cl_int error = clSetKernelArg(b.kernel, 2, sizeof value, &value);  // wrong
#endif
  assert(error == CL_SUCCESS);
  error = clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // also
  assert(error == CL_SUCCESS);
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
