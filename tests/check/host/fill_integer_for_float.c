// SPDX-License-Identifier: Apache-2.0
// A buffer of floats is filled with the integer 1.
// kind: argument-kind
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
  cl_mem m = makeBuffer(&host, BYTES);
#ifdef RIGHT
  const cl_float one = 1;
#else
  const cl_int one = 1;
#endif
  check(clEnqueueFillBuffer(host.queue, m, &one, sizeof one, 0, BYTES, 0, NULL, NULL));  // also
  const cl_float factor = 2;
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
