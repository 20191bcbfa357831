// SPDX-License-Identifier: Apache-2.0
// A kernel is launched on a buffer that the host has mapped for writing.
// kind: mapped-in-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const float factor = 2;
  const size_t global = COUNT;
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  cl_mem buffer = makeBuffer(&host, BYTES);
  float* data = clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
  memset(data, 0, BYTES);
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
#endif
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
#ifndef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
