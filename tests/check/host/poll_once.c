// SPDX-License-Identifier: Apache-2.0
// The status of a read is asked for once, and the result is used whatever it is.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  float* data = calloc(COUNT, sizeof(float));
  fillBuffer(&host, buffer, BYTES);
  cl_event done;
  check(clEnqueueReadBuffer(host.queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, &done));  // also
  check(clFlush(host.queue));
  cl_int status = CL_QUEUED;
#ifdef RIGHT
  while (status > CL_COMPLETE)
#endif
    check(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  float sum = 0;
  for (int i = 0; i < COUNT; ++i) sum += data[i];  // wrong
  if (sum != 0) puts("other");
  check(clFinish(host.queue));
  free(data);
  check(clReleaseEvent(done));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
