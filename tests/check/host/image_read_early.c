// SPDX-License-Identifier: Apache-2.0
// An image is read without blocking, and used at once.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 256, 256, 0, 0, NULL, CL_MEM_READ_WRITE);
  fillImage(&host, m, 256, 256, 1);
  float* data = malloc(256 * 256 * 16);
  const size_t o[3] = {0, 0, 0}, r[3] = {256, 256, 1};
#ifdef RIGHT
  check(clEnqueueReadImage(host.queue, m, CL_TRUE, o, r, 0, 0, data, 0, NULL, NULL));
#else
  check(clEnqueueReadImage(host.queue, m, CL_FALSE, o, r, 0, 0, data, 0, NULL, NULL));  // also
#endif
  float sum = 0;
  for (int i = 0; i < 256 * 256; ++i) sum += data[i];  // wrong
  printf("%g\n", sum);
  check(clFinish(host.queue));
  free(data);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
