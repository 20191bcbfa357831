// SPDX-License-Identifier: Apache-2.0
// An image is repeated, and the coordinates are not normalised.
// kind: image-sampler
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
#ifdef RIGHT
      "constant sampler_t how = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
#else
      "constant sampler_t how = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
#endif
      "float at(read_only image2d_t in, float2 place) {\n"
      SOURCE_LINE "  return read_imagef(in, how, place).x;\n"  // wrong
      "}\n"
      "kernel void look(read_only image2d_t in, global float* out) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1);\n"
      SOURCE_LINE "  out[y * 16 + x] = at(in, (float2)(x / 8.0f, y / 8.0f));\n"  // also
      "}\n",
      "look", "");
  lookAtImage(&host, b, CL_UNORM_INT8, NULL);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
