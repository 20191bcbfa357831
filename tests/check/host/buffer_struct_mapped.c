// SPDX-License-Identifier: Apache-2.0
// A buffer is mapped as structures that the kernel does not have.
// kind: argument-kind
#include "host.h"

#ifdef RIGHT
typedef struct { cl_float2 p; cl_float r; } Disc;
#else
typedef struct { cl_float x, y, r; } Disc;
#endif
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { float2 p; float r; } Disc;\n"
      SOURCE_LINE "kernel void grow(global Disc* discs) { discs[get_global_id(0)].r += 1; }\n",
      "grow", "");
  cl_mem m = makeBuffer(&host, 16 * 16);
  cl_int error;
  Disc* discs = (Disc*)clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, 16 * 16, 0,  // also
                                          NULL, NULL, &error);
  check(error);
  memset(discs, 0, 16 * 16);
  check(clEnqueueUnmapMemObject(host.queue, m, discs, 0, NULL, NULL));
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  launch1(&host, b, 16);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
