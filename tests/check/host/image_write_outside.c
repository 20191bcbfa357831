// SPDX-License-Identifier: Apache-2.0
// A kernel writes one column more than an image has.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void paint(write_only image2d_t out) {\n"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
#ifdef RIGHT
      SOURCE_LINE "  if (at.x < get_image_width(out))\n"
#endif
      SOURCE_LINE "  write_imagef(out, at, (float4)(1));\n"  // wrong
      "}\n",
      "paint", "");
  cl_mem out = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 15, 8, 0, 0, NULL, CL_MEM_READ_WRITE);
  setMemory(b, 0, out);
  launch2(&host, b, 16, 8);
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
