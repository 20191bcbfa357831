// SPDX-License-Identifier: Apache-2.0
// One buffer is both arguments of a kernel that declares them restrict, and reads what others write: one mistake.
// kind: overlapping-arguments
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void mirror(global const float* restrict from, global float* restrict to) {\n"
      "  const int i = get_global_id(0);\n"
      SOURCE_LINE "  to[i] = from[get_global_size(0) - 1 - i];\n"  // wrong
      "}\n",
      "mirror", "");
  cl_mem first = makeBuffer(&host, BYTES), second = makeBuffer(&host, BYTES);  // also
  fillBuffer(&host, first, BYTES);
  setMemory(b, 0, first);
#ifdef RIGHT
  setMemory(b, 1, second);
#else
  setMemory(b, 1, first);
#endif
  const size_t count = COUNT;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &count, NULL, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(first));
  check(clReleaseMemObject(second));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
