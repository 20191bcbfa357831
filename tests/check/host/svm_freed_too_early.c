// SPDX-License-Identifier: Apache-2.0
// Shared memory is freed while a kernel may still run.
// kind: host-memory-freed use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "kernel void fill(global int* out) {\n"
      "  for (int k = 0; k < 10000; ++k) out[get_global_id(0)] = k;\n"
      "}\n",
      "fill", "-cl-std=CL2.0");
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 40000, 0);  // also
  size_t n = 10000;
  check(clSetKernelArgSVMPointer(b.kernel, 0, p));
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &n, NULL, 0, NULL, NULL));  // also
#ifdef RIGHT
  check(clFinish(host.queue));
#endif
  clSVMFree(host.context, p);  // wrong
  check(clFinish(host.queue));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
