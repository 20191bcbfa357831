// SPDX-License-Identifier: Apache-2.0
// The work-group size does not divide the kernel's NDRange, and the launch fails; the result is read all the same.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(COUNT, sizeof(float));
  const float factor = 2;
  const size_t global = COUNT;
#ifdef RIGHT
  const size_t local = 64;
#else
  const size_t local = 1 << 20;
#endif
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
  clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);     // wrong
  check(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));  // also
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  free(data);
  closeHost(&host);
  return 0;
}
