// SPDX-License-Identifier: Apache-2.0
// Memory of CL_MEM_USE_HOST_PTR that kernels only read may be read by the host too; what they write may not.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "kernel void twice(global const float* in, global float* out) {\n"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];\n"
      "}\n", "twice", "");
  float *in = aligned_alloc(4096, BYTES), *out = aligned_alloc(4096, BYTES), *result = malloc(BYTES);
  for (int i = 0; i < COUNT; ++i) in[i] = i, out[i] = 0;
  cl_int error;
  cl_mem from = clCreateBuffer(host.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, BYTES, in, &error);
  check(error);
  cl_mem to = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, out, &error);  // also
  check(error);
  setMemory(b, 0, from);
  setMemory(b, 1, to);
  launch1(&host, b, COUNT);
  check(clEnqueueReadBuffer(host.queue, to, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
  int wrong = 0;
#ifdef RIGHT
  for (int i = 0; i < COUNT; ++i) wrong += result[i] != 2 * in[i];
#else
  for (int i = 0; i < COUNT; ++i) wrong += out[i] != 2 * in[i];  // wrong
#endif
  check(clReleaseMemObject(from));
  check(clReleaseMemObject(to));
  releaseBuilt(b);
  free(in);
  free(out);
  free(result);
  closeHost(&host);
  printf("%d\n", wrong);
  return 0;
}
