// SPDX-License-Identifier: Apache-2.0
// A kernel writes the buffer of which the host still has the second half mapped.
// kind: mapped-in-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  cl_int error;
  float* half = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, BYTES / 2, BYTES / 2, 0,  // also
                                   NULL, NULL, &error);
  check(error);
  for (int i = 0; i < COUNT / 2; ++i) half[i] = 1;
  const cl_int value = 1;
  const size_t global = COUNT;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof value, &value));
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, half, 0, NULL, NULL));
#endif
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
#ifndef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, half, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
