// SPDX-License-Identifier: Apache-2.0
// The function for another class of objects releases nothing.
// kind: api-error
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
#ifdef RIGHT
  clReleaseKernel(b.kernel);
#else
  clReleaseMemObject((cl_mem)b.kernel);  // wrong
#endif
  check(clReleaseProgram(b.program));
  closeHost(&host);
  return 0;
}
