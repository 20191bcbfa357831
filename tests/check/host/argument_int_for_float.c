// SPDX-License-Identifier: Apache-2.0
// An int is given for an argument of type float, which is as large.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host, "kernel void set(global float* p, float v) { p[get_global_id(0)] = v; }");
  cl_kernel kernel = makeKernel(built, "set");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
#ifdef RIGHT
  const float value = 10;
  check(clSetKernelArg(kernel, 1, sizeof value, &value));
#else
  const cl_int value = 10;
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
