// SPDX-License-Identifier: Apache-2.0
// Doubles of the host where the kernel has floats.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
#ifdef RIGHT
  float samples[64];
#else
  double samples[64];
#endif
  for (int i = 0; i < 64; ++i) samples[i] = i;
  cl_mem m = makeBuffer(&host, sizeof samples);
  check(clEnqueueWriteBuffer(host.queue, m, CL_TRUE, 0, sizeof samples, samples, 0, NULL, NULL));  // also
  const cl_float factor = 3;
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));
  launch1(&host, b, 64);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
