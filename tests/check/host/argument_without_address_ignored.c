// SPDX-License-Identifier: Apache-2.0
// The handle in place of its address, without a look at the errors: the launch fails for the same reason.
// kind: argument-kind
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, "kernel void k(global int* a) { a[get_global_id(0)] = 1; }", "k", "");
  cl_mem m = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
#ifdef RIGHT
  clSetKernelArg(b.kernel, 0, sizeof(cl_mem), &m);
#else
  clSetKernelArg(b.kernel, 0, sizeof(cl_mem), m);  // wrong
#endif
  clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  clFinish(host.queue);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
