// SPDX-License-Identifier: Apache-2.0
// A read that fails is the last command. Right, the program prints its error, and ends well all the same.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  check(clFinish(host.queue));
  float data[4] = {0};
#ifdef RIGHT
  cl_int error = clEnqueueReadBuffer(host.queue, m, CL_TRUE, BYTES, sizeof data, data, 0, NULL, NULL);
  if (error != CL_SUCCESS) printf("cannot be read: %d\n", error);
#else
  clEnqueueReadBuffer(host.queue, m, CL_TRUE, BYTES, sizeof data, data, 0, NULL, NULL);  // wrong
#endif
  printf("%g\n", data[0]);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
