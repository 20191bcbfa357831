// SPDX-License-Identifier: Apache-2.0
// The host writes to memory of CL_MEM_USE_HOST_PTR while a kernel that writes it may still run.
// kind: host-pointer-use
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
  float* data = aligned_alloc(4096, BYTES);
  for (int i = 0; i < COUNT; ++i) data[i] = i;
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
  const float factor = 2;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));
  const size_t global = COUNT;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // also
#ifdef RIGHT
  float* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
#endif
  data[COUNT - 1] = 7;  // wrong
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  free(data);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
