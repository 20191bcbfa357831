// SPDX-License-Identifier: Apache-2.0
// A double is given for an argument of type long, which is as large.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(
      &host, "kernel void set(global long* p, long v) { if (get_global_id(0) < 8) p[get_global_id(0)] = v; }");
  cl_kernel kernel = makeKernel(built, "set");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
#ifdef RIGHT
  const cl_long value = 7;
  check(clSetKernelArg(kernel, 1, sizeof value, &value));
#else
  const double value = 7;
  check(clSetKernelArg(kernel, 1, sizeof value, &value));  // wrong
#endif
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
