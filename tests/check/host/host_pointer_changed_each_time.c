// SPDX-License-Identifier: Apache-2.0
// The host changes memory that it has not mapped, before the first launch and between further ones: one mistake.
// kind: host-pointer-use
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  Built b = makeBuilt(&host, kernelSource, "copy", "");
  float* from = aligned_alloc(4096, BYTES);
  for (int i = 0; i < COUNT; ++i) from[i] = i;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, BYTES, from, &error);  // also
  check(error);
  cl_mem to = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  setMemory(b, 1, to);
  const size_t global = COUNT;
  for (int i = 0; i < 3; ++i) {
#ifdef RIGHT
    float* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
    check(error);
    mapped[i] = 100;
    check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
#else
    from[i] = 100;  // wrong
#endif
    check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // also
  }
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  check(clReleaseMemObject(to));
  free(from);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
