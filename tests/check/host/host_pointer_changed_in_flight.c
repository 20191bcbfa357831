// SPDX-License-Identifier: Apache-2.0
// The host writes to memory of CL_MEM_USE_HOST_PTR while a kernel that reads it may still run.
// kind: host-pointer-use
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "copy", "");
  static float data[COUNT];
  for (int i = 0; i < COUNT; ++i) data[i] = i;
  cl_int error;
  cl_mem from = clCreateBuffer(host.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
  cl_mem to = makeBuffer(&host, BYTES);
  setMemory(b, 0, from);
  setMemory(b, 1, to);
  const size_t global = COUNT;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // also
#ifdef RIGHT
  float* mapped = clEnqueueMapBuffer(host.queue, from, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
#endif
  data[7] = -1;  // wrong
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, from, mapped, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(from));
  check(clReleaseMemObject(to));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
