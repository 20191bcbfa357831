// SPDX-License-Identifier: Apache-2.0
// Errors are gathered in a variable, which nothing looks at: the first one is the mistake.
// kind: api-error
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, "kernel void k(global int* a, float3 v) { a[get_global_id(0)] = v.x; }", "k", "");
  cl_mem m = makeBuffer(&host, BYTES);
  const float v[4] = {1, 2, 3, 0};
  const size_t global = COUNT;
  cl_int error = 0;
  error |= clSetKernelArg(b.kernel, 0, sizeof m, &m);
#ifdef RIGHT
  error |= clSetKernelArg(b.kernel, 1, sizeof v, v);
#else
  error |= clSetKernelArg(b.kernel, 1, 3 * sizeof(float), v);  // wrong
#endif
  error |= clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // also
  clFinish(host.queue);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
