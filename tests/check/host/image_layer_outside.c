// SPDX-License-Identifier: Apache-2.0
// A kernel writes one layer more than an array of images has.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void paint(write_only image2d_array_t out) {\n"
      "  const int layer = get_global_id(2);\n"
#ifdef RIGHT
      SOURCE_LINE "  if (layer >= get_image_array_size(out)) return;\n"
#endif
      SOURCE_LINE "  write_imagef(out, (int4)(get_global_id(0), get_global_id(1), layer, 0), (float4)(1));\n"  // wrong
      "}\n",
      "paint", "");
  cl_mem out = makeImage(&host, CL_MEM_OBJECT_IMAGE2D_ARRAY, 8, 8, 0, 3, NULL, CL_MEM_READ_WRITE);
  setMemory(b, 0, out);
  launch3(&host, b, 8, 8, 4);
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
