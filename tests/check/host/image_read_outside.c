// SPDX-License-Identifier: Apache-2.0
// An image is read without a sampler, left of its first column.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void look(read_only image2d_t in, global float* out) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1);\n"
#ifdef RIGHT
      SOURCE_LINE "  const int2 at = (int2)(max(x - 1, 0), y);\n"
#else
      SOURCE_LINE "  const int2 at = (int2)(x - 1, y);\n"
#endif
      SOURCE_LINE "  out[y * 16 + x] = read_imagef(in, at).x;\n"  // wrong
      "}\n",
      "look", "");
  cl_mem in = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 16, 8, 0, 0, NULL, CL_MEM_READ_WRITE);
  fillImage(&host, in, 16, 8, 1);
  cl_mem out = makeBuffer(&host, 16 * 8 * 4);
  setMemory(b, 0, in);
  setMemory(b, 1, out);
  launch2(&host, b, 16, 8);
  check(clReleaseMemObject(in));
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
