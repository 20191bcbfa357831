// SPDX-License-Identifier: Apache-2.0
// The bits of a float for a uint: a mistake where the host's variable is a float, none where it is a uint that holds
// them, or a union.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void fill(global float* data, uint first, uint second, float tiny) {\n"
      SOURCE_LINE "  data[get_global_id(0)] = as_float(first) + as_float(second) + tiny;\n"
      SOURCE_LINE "}\n",
      "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  const float half = 1.5f, tiny = 1e-40f;
#ifdef RIGHT
  cl_uint bits;
  memcpy(&bits, &half, sizeof bits);
#else
  float bits = half;
#endif
  union { cl_float number; cl_uint bits; } both = {2.5f};
  check(clSetKernelArg(b.kernel, 1, sizeof bits, &bits));  // wrong
  check(clSetKernelArg(b.kernel, 2, sizeof both, &both));
  check(clSetKernelArg(b.kernel, 3, sizeof tiny, &tiny));
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
