// SPDX-License-Identifier: Apache-2.0
// An image of a buffer is read behind its end.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void look(read_only image1d_buffer_t in, global float* out) {\n"
      "  const int x = get_global_id(0);\n"
#ifdef RIGHT
      SOURCE_LINE "  out[x] = read_imagef(in, x).x;\n"
#else
      SOURCE_LINE "  out[x] = read_imagef(in, x + 1).x;\n"  // wrong
#endif
      SOURCE_LINE "}\n",
      "look", "");
  cl_mem buffer = makeBuffer(&host, 16 * 16);
  fillBuffer(&host, buffer, 16 * 16);
  cl_mem in = makeImage(&host, CL_MEM_OBJECT_IMAGE1D_BUFFER, 16, 0, 0, 0, buffer, CL_MEM_READ_WRITE);
  cl_mem out = makeBuffer(&host, 16 * 4);
  setMemory(b, 0, in);
  setMemory(b, 1, out);
  launch1(&host, b, 16);
  check(clReleaseMemObject(in));
  check(clReleaseMemObject(out));
  check(clReleaseMemObject(buffer));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
