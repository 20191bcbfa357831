// SPDX-License-Identifier: Apache-2.0
// A target without whole pages, of more bytes than the processor has breakpoints for.
// kind: result-too-early
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  check(clFinish(host.queue));
  int result[200];
  cl_event done;
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, sizeof result, result, 0, NULL, &done));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, sizeof result, result, 0, NULL, &done));  // also
#endif
  check(clFlush(host.queue));
  printf("%d\n", result[77] + result[131]);  // wrong
  check(clWaitForEvents(1, &done));
  check(clReleaseEvent(done));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
