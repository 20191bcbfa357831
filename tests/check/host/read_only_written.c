// SPDX-License-Identifier: Apache-2.0
// A kernel writes a buffer that is read-only for kernels.
// kind: write-to-read-only
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void fill(global int* out) {\n"
      "  out[get_global_id(0)] = 1;\n"  // wrong
      "}\n",
      "fill", "");
  cl_int error;
#ifdef RIGHT
  cl_mem m = clCreateBuffer(host.context, CL_MEM_WRITE_ONLY, 1024, NULL, &error);
#else
  cl_mem m = clCreateBuffer(host.context, CL_MEM_READ_ONLY, 1024, NULL, &error);
#endif
  check(error);
  setMemory(b, 0, m);
  launch1(&host, b, 256);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
