// SPDX-License-Identifier: Apache-2.0
// Signed integers of an image are read as unsigned ones.
// kind: image-channels
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void look(read_only image2d_t in, global float* out) {\n"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
#ifdef RIGHT
      SOURCE_LINE "  out[at.y * 16 + at.x] = (float)read_imagei(in, at).x;\n"
#else
      SOURCE_LINE "  out[at.y * 16 + at.x] = (float)read_imageui(in, at).x;\n"  // wrong
#endif
      "}\n",
      "look", "");
  lookAtImage(&host, b, CL_SIGNED_INT16, NULL);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
