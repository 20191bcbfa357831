// SPDX-License-Identifier: Apache-2.0
// The queue of a worker is never released.
// kind: leaked-object
#include "host.h"

static void work(const Host* host, cl_mem m) {
#ifdef RIGHT
  cl_command_queue own = makeQueue(host, CL_QUEUE_PROFILING_ENABLE);
#else
  const cl_queue_properties list[] = {0};
  cl_int error;
  cl_command_queue own = clCreateCommandQueueWithProperties(host->context, host->device, list, &error);  // wrong
#endif
  float value = 0;
  check(clEnqueueReadBuffer(own, m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
#ifdef RIGHT
  check(clReleaseCommandQueue(own));
#endif
}
int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  check(clFinish(host.queue));
  work(&host, m);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
