// SPDX-License-Identifier: Apache-2.0
// CL_TRUE is forgotten at the only read, which nothing waits for: one mistake, one finding.
// kind: result-too-early
#include "host.h"

#ifdef RIGHT
#define BLOCKING CL_TRUE
#else
#define BLOCKING CL_FALSE
#endif

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  float* data = aligned_alloc(4096, BYTES);
  check(clEnqueueReadBuffer(host.queue, m, BLOCKING, 0, BYTES, data, 0, NULL, NULL));  // also
  printf("%g\n", data[5]);  // wrong
  free(data);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
