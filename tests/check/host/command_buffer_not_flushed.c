// SPDX-License-Identifier: Apache-2.0
// A read in a second command-queue waits for a command-buffer that was not flushed. A read in its own one flushes it.
// kind: not-flushed
#include "host.h"

#include <CL/cl_ext.h>

int program(void) {
  Host host = openHost();
  cl_command_queue other = makeQueue(&host, 0);
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_int value = 1;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof value, &value));
#define GET(name) name##_fn name = (name##_fn)clGetExtensionFunctionAddressForPlatform(host.platform, #name)
  GET(clCreateCommandBufferKHR);
  GET(clCommandNDRangeKernelKHR);
  GET(clFinalizeCommandBufferKHR);
  GET(clEnqueueCommandBufferKHR);
  GET(clReleaseCommandBufferKHR);
#undef GET
  cl_int error;
  cl_command_buffer_khr commands = clCreateCommandBufferKHR(1, &host.queue, NULL, &error);
  check(error);
  const size_t global = COUNT;
  check(clCommandNDRangeKernelKHR(commands, NULL, NULL, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
  check(clFinalizeCommandBufferKHR(commands));
  cl_event ran;
  check(clEnqueueCommandBufferKHR(0, NULL, commands, 0, NULL, &ran));  // wrong
  float first;
#ifdef RIGHT
  cl_command_queue reading = host.queue;
#else
  cl_command_queue reading = other;
#endif
  check(clEnqueueReadBuffer(reading, m, CL_TRUE, 0, sizeof first, &first, 1, &ran, NULL));  // also
  check(clReleaseEvent(ran));
  check(clReleaseCommandBufferKHR(commands));
  check(clReleaseMemObject(m));
  check(clReleaseCommandQueue(other));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
