// SPDX-License-Identifier: Apache-2.0
// Memory of CL_MEM_USE_HOST_PTR is read without being mapped.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      kernelSource, "scale", "");
  float* data = aligned_alloc(4096, BYTES);
  for (int i = 0; i < COUNT; ++i) data[i] = i;
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
  const float factor = 2;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, 4, &factor));
  launch1(&host, b, COUNT);
#ifdef RIGHT
  float* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);
#endif
  float sum = 0;
  for (int i = 0; i < COUNT; ++i) sum += data[i];  // wrong
  printf("%g\n", sum);
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
  check(clFinish(host.queue));
#endif
  check(clReleaseMemObject(m));
  free(data);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
