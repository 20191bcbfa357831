// SPDX-License-Identifier: Apache-2.0
// A kernel fails and nothing asks. Right, the process ends while a kernel runs, which the driver ends then.
// kind: command-error fault
// status: 5
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host,
      "kernel void far(global int* p, ulong at) { *(global int*)at = 1; p[0] = 1; }\n"
      "kernel void busy(global int* p, ulong count) { for (ulong i = 0; i < count; ++i) p[0] = p[0] * 3 + 1; }");
  const size_t global = 1;
#ifdef RIGHT
  cl_kernel kernel = makeKernel(built, "busy");
#else
  cl_kernel kernel = makeKernel(built, "far");
#endif
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  const cl_ulong value = (cl_ulong)1 << 40;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof value, &value));
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
  check(clFlush(host.queue));
#ifndef RIGHT
  cl_event event;
  check(clEnqueueMarkerWithWaitList(host.queue, 0, NULL, &event));
  check(clWaitForEvents(1, &event));
#endif
  return 5;
}
