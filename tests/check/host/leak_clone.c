// SPDX-License-Identifier: Apache-2.0
// The copy of a kernel object is never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      kernelSource, "fill", "");
  cl_int error;
  cl_kernel e = clCloneKernel(b.kernel, &error);  // wrong
  check(error);
  (void)e;
#ifdef RIGHT
  check(clReleaseKernel(e));
#endif
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
