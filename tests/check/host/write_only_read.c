// SPDX-License-Identifier: Apache-2.0
// A kernel reads a buffer that is write-only for kernels.
// kind: read-of-write-only
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void add(global int* out) {\n"
      "  out[get_global_id(0)] += 1;\n"  // wrong
      "}\n",
      "add", "");
  cl_int error;
#ifdef RIGHT
  cl_mem m = clCreateBuffer(host.context, CL_MEM_READ_WRITE, 1024, NULL, &error);
#else
  cl_mem m = clCreateBuffer(host.context, CL_MEM_WRITE_ONLY, 1024, NULL, &error);
#endif
  check(error);
  fillBuffer(&host, m, 1024);
  setMemory(b, 0, m);
  launch1(&host, b, 256);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
