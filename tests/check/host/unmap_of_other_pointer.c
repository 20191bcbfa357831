// SPDX-License-Identifier: Apache-2.0
// A region is unmapped by another pointer than the one that it was mapped as, and nothing looks at the error.
// kind: api-error
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem m = makeBuffer(&host, BYTES);
  float* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
  check(error);
  float* at = mapped;
  while (at < mapped + COUNT) *at++ = 1;
#ifdef RIGHT
  clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL);
#else
  clEnqueueUnmapMemObject(host.queue, m, at, 0, NULL, NULL);  // wrong
#endif
  clFinish(host.queue);  // also
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
