// SPDX-License-Identifier: Apache-2.0
// A kernel reads an image that nothing has written.
// kind: uninitialised
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void look(read_only image2d_t in, global float* out) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1);\n"
      "  out[y * 16 + x] = read_imagef(in, (int2)(x, y)).x * 2;\n"  // wrong
      "}\n",
      "look", "");
  cl_mem in = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 16, 8, 0, 0, NULL, CL_MEM_READ_WRITE);
#ifdef RIGHT
  fillImage(&host, in, 16, 8, 1);
#endif
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
