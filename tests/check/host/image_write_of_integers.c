// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers are written to an image of integers.
// kind: image-channels
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void mark(write_only image2d_t out) {\n"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
#ifdef RIGHT
      SOURCE_LINE "  write_imageui(out, at, (uint4)(1, 2, 3, 4));\n"
#else
      SOURCE_LINE "  write_imagef(out, at, (float4)(1, 2, 3, 4));\n"  // wrong
#endif
      "}\n",
      "mark", "");
  cl_mem out = makeImageOf(&host, CL_UNSIGNED_INT8, 16, 8);
  setMemory(b, 0, out);
  launch2(&host, b, 16, 8);
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
