// SPDX-License-Identifier: Apache-2.0
// The host changes the memory of a buffer with CL_MEM_USE_HOST_PTR without mapping it.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  float* data = calloc(COUNT, sizeof(float));
  const float factor = 2;
  const size_t global = COUNT;
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
#ifdef RIGHT
  for (int i = 0; i < COUNT; ++i) data[i] = i;
#endif
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
#ifndef RIGHT
  for (int i = 0; i < COUNT; ++i) data[i] = i;  // wrong
#endif
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  free(data);
  closeHost(&host);
  return 0;
}
