// SPDX-License-Identifier: Apache-2.0
// A file gets the target of a read before the command has ended.
// kind: result-too-early
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4 * BYTES);
  fillBuffer(&host, m, 4 * BYTES);
  float* data = malloc(4 * BYTES);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, 4 * BYTES, data, 0, NULL, NULL));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 4 * BYTES, data, 0, NULL, NULL));  // also
#endif
  FILE* file = tmpfile();
  fwrite(data, sizeof *data, 4 * COUNT, file);  // wrong
  fclose(file);
  check(clFinish(host.queue));
  free(data);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
