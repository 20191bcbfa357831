// SPDX-License-Identifier: Apache-2.0
// The status of the wrong event is polled, and the result is used.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  float* data = calloc(COUNT, sizeof(float));
  fillBuffer(&host, m, BYTES);
  cl_event marker, done;
  check(clEnqueueMarkerWithWaitList(host.queue, 0, NULL, &marker));
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, BYTES, data, 0, NULL, &done));  // also
  check(clFlush(host.queue));
  cl_int status = CL_QUEUED;
#ifdef RIGHT
  const cl_event polled = done;
#else
  const cl_event polled = marker;
#endif
  while (status > CL_COMPLETE)
    check(clGetEventInfo(polled, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  float sum = 0;
  for (int i = 0; i < COUNT; ++i) sum += data[i];  // wrong
  if (sum != 0) puts("other");
  check(clFinish(host.queue));
  free(data);
  check(clReleaseEvent(marker));
  check(clReleaseEvent(done));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
