// SPDX-License-Identifier: Apache-2.0
// Two launches in a command-queue that is out of order depend on each other.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  const float factor = 2;
  const size_t global = COUNT;
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));

  check(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
#ifdef RIGHT
  check(clEnqueueBarrierWithWaitList(second, 0, NULL, NULL));
#endif
  check(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
