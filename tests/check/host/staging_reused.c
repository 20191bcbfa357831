// SPDX-License-Identifier: Apache-2.0
// One piece of memory is filled and written to two buffers without waiting.
// kind: source-changed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem a = makeBuffer(&host, BYTES), b = makeBuffer(&host, BYTES);
  float* staging = malloc(BYTES);
  cl_mem both[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < COUNT; ++k) staging[k] = i + k;  // also
#ifdef RIGHT
    check(clEnqueueWriteBuffer(host.queue, both[i], CL_TRUE, 0, BYTES, staging, 0, NULL, NULL));
#else
    check(clEnqueueWriteBuffer(host.queue, both[i], CL_FALSE, 0, BYTES, staging, 0, NULL, NULL));  // wrong
#endif
  }
  check(clFinish(host.queue));  // also
  free(staging);
  check(clReleaseMemObject(a));
  check(clReleaseMemObject(b));
  closeHost(&host);
  return 0;
}
