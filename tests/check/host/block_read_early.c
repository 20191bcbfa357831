// SPDX-License-Identifier: Apache-2.0
// A number in the middle of what lies ahead of a block's whole pages is used before the read has ended.
// kind: result-too-early
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4 * BYTES);
  fillBuffer(&host, m, 4 * BYTES);
  char* block = aligned_alloc(4096, 4 * BYTES + 4096);
  int* result = (int*)(block + 1024);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, 4 * BYTES, result, 0, NULL, NULL));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 4 * BYTES, result, 0, NULL, NULL));  // also
#endif
  printf("%d\n", result[100]);  // wrong
  check(clFinish(host.queue));
  free(block);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
