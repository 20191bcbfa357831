// SPDX-License-Identifier: Apache-2.0
// Two work-items write one pixel.
// kind: global-race
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void paint(write_only image2d_t out) {\n"
#ifdef RIGHT
      SOURCE_LINE "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
#else
      SOURCE_LINE "  const int2 at = (int2)(get_global_id(0) / 2, get_global_id(1));\n"
#endif
      SOURCE_LINE "  write_imagef(out, at, (float4)(get_global_id(0)));\n"  // wrong
      "}\n",
      "paint", "");
  cl_mem out = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 16, 8, 0, 0, NULL, CL_MEM_READ_WRITE);
  setMemory(b, 0, out);
  launch2(&host, b, 16, 8);
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
