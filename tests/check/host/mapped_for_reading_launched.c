// SPDX-License-Identifier: Apache-2.0
// A kernel writes to a buffer that is mapped for reading: one mistake, and not the host's.
// kind: mapped-in-use
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_program program = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(program, "scale");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const float factor = 2, one = 1;
  const size_t count = COUNT;
  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, BYTES, 0, NULL, NULL));
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
  float* data =
      clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
#endif
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
#ifndef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
  check(clFinish(host.queue));
#endif
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(program));
  closeHost(&host);
  return 0;
}
