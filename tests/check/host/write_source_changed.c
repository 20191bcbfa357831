// SPDX-License-Identifier: Apache-2.0
// The array is filled with the next values before the write of the first ones has ended.
// kind: source-changed
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(COUNT, sizeof(float));
  cl_mem buffer = makeBuffer(&host, BYTES);
  check(clEnqueueWriteBuffer(host.queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));  // wrong
#ifdef RIGHT
  check(clFinish(host.queue));
#endif
  for (int i = 0; i < COUNT; ++i) data[i] = i;
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
