// SPDX-License-Identifier: Apache-2.0
// The members of a structure are in another order than the kernel's.
// kind: argument-kind
#include "host.h"

typedef struct { cl_float step; cl_int count; } Params;
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      #ifdef RIGHT
      SOURCE_LINE "typedef struct { float step; int count; } Params;\n"
#else
      SOURCE_LINE "typedef struct { int count; float step; } Params;\n"
#endif
      SOURCE_LINE "kernel void fill(global float* out, Params p) {\n"
      "  if (get_global_id(0) < p.count) out[get_global_id(0)] = p.step;\n"
      "}\n",
      "fill", "");
  Params params = {0.5f, 100};
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof params, &params));  // wrong
  launch1(&host, b, 100);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
