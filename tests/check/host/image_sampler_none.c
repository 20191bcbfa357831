// SPDX-License-Identifier: Apache-2.0
// A sampler with CLK_ADDRESS_NONE reads the neighbours of the pixels at the edge.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "\n"
#ifdef RIGHT
      SOURCE_LINE "constant sampler_t s = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP_TO_EDGE;\n"
#else
      SOURCE_LINE "constant sampler_t s = CLK_FILTER_NEAREST | CLK_ADDRESS_NONE;\n"
#endif
      SOURCE_LINE "kernel void look(read_only image2d_t in, global float* out) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1);\n"
      "  float sum = 0;\n"
      "  for (int k = -1; k <= 1; ++k)\n"
      "    sum += read_imagef(in, s, (int2)(x + k, y)).x;\n"  // wrong
      "  out[y * 16 + x] = sum;\n"
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
