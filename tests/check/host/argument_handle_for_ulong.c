// SPDX-License-Identifier: Apache-2.0
// The handle of a buffer is given for an argument of type ulong, which is as large.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(
      &host, "kernel void set(global float* p, ulong n) { if (get_global_id(0) < n) p[get_global_id(0)] = 1; }");
  cl_kernel kernel = makeKernel(built, "set");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
#ifdef RIGHT
  const cl_ulong count = COUNT;
  check(clSetKernelArg(kernel, 1, sizeof count, &count));
#else
  check(clSetKernelArg(kernel, 1, sizeof buffer, &buffer));  // wrong
#endif
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
