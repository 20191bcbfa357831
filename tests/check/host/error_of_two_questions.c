// SPDX-License-Identifier: Apache-2.0
// Both times of a command are asked of a command-queue without profiling, for the same reason in vain.
// kind: api-error
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
#ifdef RIGHT
  cl_command_queue queue = makeQueue(&host, CL_QUEUE_PROFILING_ENABLE);
#else
  cl_command_queue queue = makeQueue(&host, 0);
#endif
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event event;
  cl_ulong begin = 0, end = 0;
  check(clEnqueueFillBuffer(queue, m, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));
  check(clWaitForEvents(1, &event));
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);  // wrong
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  printf("%lu ns\n", (unsigned long)(end - begin));
  check(clReleaseEvent(event));
  check(clReleaseMemObject(m));
  check(clReleaseCommandQueue(queue));
  closeHost(&host);
  return 0;
}
