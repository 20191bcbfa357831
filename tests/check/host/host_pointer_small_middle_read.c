// SPDX-License-Identifier: Apache-2.0
// A number in the middle of memory of CL_MEM_USE_HOST_PTR without pages is read by memcpy without being mapped.
// kind: host-pointer-use
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
  static float data[100];
  for (int i = 0; i < 100; ++i) data[i] = i;
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, sizeof data, data, &error);  // also
  check(error);
  const float factor = 2;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));
  launch1(&host, b, 100);
#ifdef RIGHT
  float* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ, 0, sizeof data, 0, NULL, NULL, &error);
#endif
  float some[8];
  memcpy(some, data + 37, sizeof some);  // wrong
  printf("%g\n", some[3]);
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
  check(clFinish(host.queue));
#endif
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
