// SPDX-License-Identifier: Apache-2.0
// Two command-queues share a buffer; the second part begins before the end of the first.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  const float factor = 2;
  const size_t half = COUNT / 2;
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));

#ifdef RIGHT
  const size_t middle = COUNT / 2;
#else
  const size_t middle = COUNT / 2 - 1;
#endif
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &half, NULL, 0, NULL, NULL));  // wrong
  check(clEnqueueNDRangeKernel(second, kernel, 1, &middle, &half, NULL, 0, NULL, NULL));   // wrong
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
