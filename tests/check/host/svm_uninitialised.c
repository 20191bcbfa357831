// SPDX-License-Identifier: Apache-2.0
// A kernel reads shared memory that nothing has written.
// kind: uninitialised
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void add(global int* in, global int* out) {\n"
      "  out[get_global_id(0)] = in[get_global_id(0)] + 1;\n"  // wrong
      "}\n",
      "add", "-cl-std=CL2.0");
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4096 * 4, 0);
  int* q = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4096 * 4, 0);
#ifdef RIGHT
  const int zero = 0;
  check(clEnqueueSVMMemFill(host.queue, p, &zero, 4, 4096 * 4, 0, NULL, NULL));
#endif
  check(clSetKernelArgSVMPointer(b.kernel, 0, p));
  check(clSetKernelArgSVMPointer(b.kernel, 1, q));
  launch1(&host, b, 4096);
  clSVMFree(host.context, p);
  clSVMFree(host.context, q);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
