// SPDX-License-Identifier: Apache-2.0
// A rectangle is read without blocking, and used at once.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 1 << 20);
  fillBuffer(&host, m, 1 << 20);
  char* data = malloc(1 << 20);
  const size_t o[3] = {0, 0, 0}, r[3] = {1024, 1024, 1};
#ifdef RIGHT
  check(clEnqueueReadBufferRect(host.queue, m, CL_TRUE, o, o, r, 1024, 0, 1024, 0, data, 0, NULL, NULL));
#else
  check(clEnqueueReadBufferRect(host.queue, m, CL_FALSE, o, o, r, 1024, 0, 1024, 0, data, 0, NULL, NULL));  // also
#endif
  int sum = 0;
  for (int i = 0; i < 1 << 20; ++i) sum += data[i];  // wrong
  printf("%d\n", sum);
  check(clFinish(host.queue));
  free(data);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
