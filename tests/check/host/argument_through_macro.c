// SPDX-License-Identifier: Apache-2.0
// A macro of the program sets arguments: the type of its variable counts, and not that of a call in the next line.
// kind: argument-kind
#include "host.h"

#define SET_ARGUMENT(kernel, index, value) \
  check(clSetKernelArg((kernel), (index), sizeof(value), &(value)))

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void fill(global float* data, int count, float value, uint bits, int last) {\n"
      SOURCE_LINE "  data[get_global_id(0)] = count * value + as_float(bits) + last;\n"
      SOURCE_LINE "}\n",
      "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_float third = 1.0f / 3;
#ifdef RIGHT
  const cl_int count = 7;
#else
  const cl_float count = 7.0f / 3;
#endif
  const cl_int last = 3;
  union { cl_float number; cl_uint bits; } both = {1.5f};
  SET_ARGUMENT(b.kernel, 0, m);
  SET_ARGUMENT(b.kernel, 1, count);  // wrong
  SET_ARGUMENT(b.kernel, 4, last);
  check(clSetKernelArg(b.kernel, 2, sizeof third, &third));
  SET_ARGUMENT(b.kernel, 3, both);
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
