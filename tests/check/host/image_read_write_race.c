// SPDX-License-Identifier: Apache-2.0
// An image that kernels may read and write is blurred in place.
// kind: global-race
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void blur(read_write image2d_t picture) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1);\n"
#ifdef RIGHT
      SOURCE_LINE "  const float4 other = read_imagef(picture, (int2)(x, y));\n"
#else
      SOURCE_LINE "  const float4 other = read_imagef(picture, (int2)((x + 1) % 16, y));\n"  // wrong
#endif
      SOURCE_LINE "  write_imagef(picture, (int2)(x, y), other * 0.5f);\n"  // wrong
      "}\n",
      "blur", "-cl-std=CL2.0");
  cl_mem out = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 16, 8, 0, 0, NULL, CL_MEM_READ_WRITE);
  fillImage(&host, out, 16, 8, 1);
  setMemory(b, 0, out);
  launch2(&host, b, 16, 8);
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
