// SPDX-License-Identifier: Apache-2.0
// A long of the host where the kernel has an int.
// kind: argument-kind
#include "host.h"

typedef struct {
#ifdef RIGHT
  cl_int first, count;
#else
  long first, count;
#endif
} Range;
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { int first, count; } Range;\n"
      SOURCE_LINE "kernel void lengths(global const Range* ranges, global int* out) {\n"
      "  out[get_global_id(0)] = ranges[get_global_id(0)].count;\n"
      "}\n",
      "lengths", "");
  Range ranges[16];
  for (int i = 0; i < 16; ++i) ranges[i].first = i, ranges[i].count = 1;
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof ranges,  // also
                            ranges, &error);
  check(error);
  cl_mem out = makeBuffer(&host, 16 * sizeof(cl_int));
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  setMemory(b, 1, out);
  launch1(&host, b, 16);
  check(clReleaseMemObject(m));
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
