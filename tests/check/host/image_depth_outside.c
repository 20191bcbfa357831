// SPDX-License-Identifier: Apache-2.0
// A 3D image is read behind its last slice.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void look(read_only image3d_t in, global float* out) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
#ifdef RIGHT
      SOURCE_LINE "  const int back = z;\n"
#else
      SOURCE_LINE "  const int back = z + 1;\n"
#endif
      SOURCE_LINE "  out[(z * 4 + y) * 4 + x] = read_imagef(in, (int4)(x, y, back, 0)).x;\n"  // wrong
      "}\n",
      "look", "");
  cl_mem in = makeImage(&host, CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 0, NULL, CL_MEM_READ_WRITE);
  fillImage(&host, in, 4, 4, 4);
  cl_mem out = makeBuffer(&host, 64 * 4);
  setMemory(b, 0, in);
  setMemory(b, 1, out);
  launch3(&host, b, 4, 4, 4);
  check(clReleaseMemObject(in));
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
