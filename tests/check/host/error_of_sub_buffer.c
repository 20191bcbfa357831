// SPDX-License-Identifier: Apache-2.0
// A sub-buffer that begins at an odd place is not created, and given to a kernel.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "copy", "");
  cl_mem m = makeBuffer(&host, BYTES), out = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
#ifdef RIGHT
  const cl_buffer_region region = {0, 256};
#else
  const cl_buffer_region region = {4, 256};
#endif
  cl_mem part = clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);  // wrong
  clSetKernelArg(b.kernel, 0, sizeof part, &part);  // also
  setMemory(b, 1, out);
#ifdef RIGHT
  launch1(&host, b, 64);
  check(clReleaseMemObject(part));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
