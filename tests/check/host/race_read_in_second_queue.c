// SPDX-License-Identifier: Apache-2.0
// A second command-queue reads the result of a kernel without waiting for it.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  const float factor = 2;
  const size_t global = COUNT;
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
  cl_event event;
  float* data = calloc(COUNT, sizeof(float));

  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));  // wrong
  check(clFlush(host.queue));
#ifdef RIGHT
  check(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, BYTES, data, 1, &event, NULL));
#else
  check(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));  // wrong
#endif
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  check(clReleaseEvent(event));
  free(data);
  closeHost(&host);
  return 0;
}
