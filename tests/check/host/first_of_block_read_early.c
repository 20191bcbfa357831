// SPDX-License-Identifier: Apache-2.0
// The first numbers of a block of malloc(), which are ahead of its whole pages, are used before the read has ended.
// kind: result-too-early
// needs: breakpoints
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4 * BYTES);
  fillBuffer(&host, m, 4 * BYTES);
  int* result = malloc(4 * BYTES);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, 4 * BYTES, result, 0, NULL, NULL));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 4 * BYTES, result, 0, NULL, NULL));  // also
#endif
  printf("%d\n", result[3]);  // wrong
  check(clFinish(host.queue));
  free(result);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
