// SPDX-License-Identifier: Apache-2.0
// Two buffers have the same memory of the host, and a kernel writes one and reads the other.
// kind: shared-host-memory
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "copy", "");
  static float data[2 * COUNT];
  for (int i = 0; i < 2 * COUNT; ++i) data[i] = i;
  cl_int error;
  cl_mem from = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // wrong
  check(error);
#ifdef RIGHT
  float* second = data + COUNT;
#else
  float* second = data;
#endif
  cl_mem to = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, second, &error);  // wrong
  check(error);
  setMemory(b, 0, from);
  setMemory(b, 1, to);
  const size_t global = COUNT;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clReleaseMemObject(from));
  check(clReleaseMemObject(to));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
