// SPDX-License-Identifier: Apache-2.0
// Shared memory is freed before the launch that uses it.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "kernel void fill(global int* out) {\n"
      "  out[get_global_id(0)] = 1;\n"
      "}\n",
      "fill", "-cl-std=CL2.0");
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 400, 0);  // also
  size_t n = 100;
  check(clSetKernelArgSVMPointer(b.kernel, 0, p));
#ifndef RIGHT
  clSVMFree(host.context, p);  // also
#endif
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &n, NULL, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
#ifdef RIGHT
  clSVMFree(host.context, p);
#endif
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
