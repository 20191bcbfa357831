// SPDX-License-Identifier: Apache-2.0
// Doubles for a kernel's floats, given by a function that knows bytes only.
// kind: argument-kind
#include "host.h"

static void give(const Host* host, cl_mem to, size_t bytes, const void* from) {
  check(clEnqueueWriteBuffer(host->queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL));  // also
}

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "scale", "");
#ifdef RIGHT
  float samples[64];
#else
  double samples[64];
#endif
  for (int i = 0; i < 64; ++i) samples[i] = (i + 1) / 7.0;
  cl_mem m = makeBuffer(&host, sizeof samples);
  give(&host, m, sizeof samples, samples);
  const cl_float factor = 3;
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  check(clSetKernelArg(b.kernel, 1, sizeof factor, &factor));
  launch1(&host, b, 64);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
