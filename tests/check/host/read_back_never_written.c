// SPDX-License-Identifier: Apache-2.0
// The host reads a buffer that no kernel has written: the kernel got another one.
// kind: uninitialised
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_int error;
  cl_mem result = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);  // also
  check(error);
  cl_mem other = makeBuffer(&host, BYTES);
  const cl_int value = 3;
#ifdef RIGHT
  setMemory(b, 0, result);
#else
  setMemory(b, 0, other);
#endif
  check(clSetKernelArg(b.kernel, 1, sizeof value, &value));
  launch1(&host, b, COUNT / 2);
  float data[COUNT];
  check(clEnqueueReadBuffer(host.queue, result, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));  // wrong
  printf("%g\n", data[0]);
  check(clReleaseMemObject(result));
  check(clReleaseMemObject(other));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
