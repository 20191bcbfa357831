// SPDX-License-Identifier: Apache-2.0
// The end of one buffer's memory is the beginning of another's: the race of the kernel's work-items comes of it.
// kind: shared-host-memory
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "copy", "");
  static float data[2 * COUNT];
  for (int i = 0; i < 2 * COUNT; ++i) data[i] = i;
#ifdef RIGHT
  float* second = data + COUNT;
#else
  float* second = data + COUNT / 4 * 3;
#endif
  cl_int error;
  cl_mem from = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // wrong
  check(error);
  cl_mem to = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, second, &error);  // wrong
  check(error);
  setMemory(b, 0, from);
  setMemory(b, 1, to);
  const size_t global = COUNT, local = 64;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, &local, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clReleaseMemObject(from));
  check(clReleaseMemObject(to));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
