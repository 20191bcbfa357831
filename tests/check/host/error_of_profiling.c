// SPDX-License-Identifier: Apache-2.0
// Times are asked for of a command-queue without profiling.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
#ifdef RIGHT
  cl_command_queue timed = makeQueue(&host, CL_QUEUE_PROFILING_ENABLE);
#else
  cl_command_queue timed = makeQueue(&host, 0);
#endif
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event event;
  cl_ulong begin = 0;
  check(clEnqueueFillBuffer(timed, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));
  check(clWaitForEvents(1, &event));
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);  // wrong
  printf("began at %d\n", begin != 0);
  check(clReleaseEvent(event));
  check(clReleaseMemObject(buffer));
  check(clReleaseCommandQueue(timed));
  closeHost(&host);
  return 0;
}
