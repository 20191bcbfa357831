// SPDX-License-Identifier: Apache-2.0
// A kernel writes behind the end of shared memory.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void fill(global int* out) {\n"
#ifdef RIGHT
      SOURCE_LINE "  if (get_global_id(0) < 100)\n"
#endif
      SOURCE_LINE "  out[get_global_id(0)] = 1;\n"  // wrong
      "}\n",
      "fill", "-cl-std=CL2.0");
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 400, 0);
  check(clSetKernelArgSVMPointer(b.kernel, 0, p));
  launch1(&host, b, 101);
  clSVMFree(host.context, p);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
