// SPDX-License-Identifier: Apache-2.0
// Shared memory of coarse grain is written without being mapped.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "kernel void fill(global int* out) {\n"
      "  out[get_global_id(0)] += 1;\n"
      "}\n",
      "fill", "-cl-std=CL2.0");
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4096 * 4, 0);  // also
  size_t n = 4096;
#ifdef RIGHT
  check(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_WRITE, p, 4096 * 4, 0, NULL, NULL));
#endif
  for (int i = 0; i < 4096; ++i) p[i] = i;  // wrong
#ifdef RIGHT
  check(clEnqueueSVMUnmap(host.queue, p, 0, NULL, NULL));
#endif
  check(clSetKernelArgSVMPointer(b.kernel, 0, p));
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &n, NULL, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
  clSVMFree(host.context, p);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
