// SPDX-License-Identifier: Apache-2.0
// Memory of CL_MEM_USE_HOST_PTR is written without being mapped, and a kernel uses a sub-buffer of it.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
  static float data[256];
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, sizeof data, data, &error);  // also
  check(error);
  const cl_buffer_region region = {0, sizeof data / 2};
  cl_mem half = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error);
#ifdef RIGHT
  float* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, sizeof data, 0, NULL, NULL, &error);
#endif
  for (int i = 0; i < 256; ++i) data[i] = i;  // wrong
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
#endif
  const float factor = 2;
  setMemory(b, 0, half);
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));
  const size_t global = 128;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(half));
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
