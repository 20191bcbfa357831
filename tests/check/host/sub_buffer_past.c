// SPDX-License-Identifier: Apache-2.0
// A kernel writes behind the end of a sub-buffer, into its parent.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void fill(global int* out) {\n"
      "  out[get_global_id(0)] = 1;\n"  // wrong
      "}\n",
      "fill", "");
  cl_mem whole = makeBuffer(&host, 4096);
  const cl_buffer_region region = {1024, 1024};
  cl_int error;
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error);
  setMemory(b, 0, part);
#ifdef RIGHT
  launch1(&host, b, 256);
#else
  launch1(&host, b, 257);
#endif
  check(clReleaseMemObject(part));
  check(clReleaseMemObject(whole));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
