// SPDX-License-Identifier: Apache-2.0
// A float is given for an int. The program then releases everything, and waits until its context has ended.
// kind: argument-kind
#include "host.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_int hasEnded;
static void CL_CALLBACK gone(cl_context context, void* data) {
  (void)context;
  (void)data;
  atomic_store(&hasEnded, 1);
}
int program(void) {
  Host host = openHost();
  atomic_store(&hasEnded, 0);
  check(clSetContextDestructorCallback(host.context, gone, NULL));
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "fill");
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
#ifdef RIGHT
  const cl_int value = 2;
#else
  const cl_float value = 2.5f;
#endif
  check(clSetKernelArg(kernel, 1, sizeof value, &value));  // wrong
  const size_t size = COUNT;
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  while (!atomic_load(&hasEnded)) usleep(1000);
  return 0;
}
