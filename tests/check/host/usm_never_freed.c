// SPDX-License-Identifier: Apache-2.0
// Memory of Intel's unified shared memory is never freed.
// kind: leaked-object
#include "host.h"

#include <CL/cl_ext.h>
int program(void) {
  Host host = openHost();
  clHostMemAllocINTEL_fn allocate =
      (clHostMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(host.platform, "clHostMemAllocINTEL");
  clMemFreeINTEL_fn release =
      (clMemFreeINTEL_fn)clGetExtensionFunctionAddressForPlatform(host.platform, "clMemFreeINTEL");
  cl_int error;
  float* memory = allocate(host.context, NULL, BYTES, 0, &error);  // wrong
  check(error);
  for (int i = 0; i < COUNT; ++i) memory[i] = 1;
#ifdef RIGHT
  check(release(host.context, memory));
#else
  (void)release;
#endif
  closeHost(&host);
  return 0;
}
