// SPDX-License-Identifier: Apache-2.0
// A kernel uses shared memory that is mapped.
// kind: mapped-in-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "kernel void fill(global int* out) {\n"
      "  out[get_global_id(0)] = 1;\n"
      "}\n",
      "fill", "-cl-std=CL2.0");
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4096 * 4, 0);  // also
  size_t n = 4096;
  check(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_WRITE, p, 4096 * 4, 0, NULL, NULL));  // also
  p[0] = 1;
#ifdef RIGHT
  check(clEnqueueSVMUnmap(host.queue, p, 0, NULL, NULL));
#endif
  check(clSetKernelArgSVMPointer(b.kernel, 0, p));
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &n, NULL, 0, NULL, NULL));  // wrong
#ifndef RIGHT
  check(clEnqueueSVMUnmap(host.queue, p, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  clSVMFree(host.context, p);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
