// SPDX-License-Identifier: Apache-2.0
// A float4 begins at a multiple of 16 bytes in the kernel, and behind an int at the host.
// kind: argument-kind
#include "host.h"

typedef struct {
  cl_int kind;
#ifdef RIGHT
  cl_int unused[3];
#endif
  cl_float colour[4];
} Light;
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "struct Light { int kind; float4 colour; };\n"
      SOURCE_LINE "kernel void dim(global struct Light* lights) { lights[get_global_id(0)].colour *= 0.5f; }\n",
      "dim", "");
  Light lights[8];
  memset(lights, 0, sizeof lights);
  cl_mem m = makeBuffer(&host, 8 * 32);
  fillBuffer(&host, m, 8 * 32);
  check(clEnqueueWriteBuffer(host.queue, m, CL_TRUE, 0, sizeof lights, &lights[0], 0, NULL, NULL));  // also
  check(clSetKernelArg(b.kernel, 0, sizeof(cl_mem), &m));  // wrong
  launch1(&host, b, 8);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
