// SPDX-License-Identifier: Apache-2.0
// A kernel writes one element past memory of Intel's unified shared memory.
// kind: out-of-bounds
#include "host.h"

#include <CL/cl_ext.h>
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void put(global int* to) { to[get_global_id(0)] = 1; }\n",  // wrong
      "put", "");
  clSharedMemAllocINTEL_fn allocate =
      (clSharedMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(host.platform, "clSharedMemAllocINTEL");
  clMemFreeINTEL_fn release =
      (clMemFreeINTEL_fn)clGetExtensionFunctionAddressForPlatform(host.platform, "clMemFreeINTEL");
  clSetKernelArgMemPointerINTEL_fn setPointer = (clSetKernelArgMemPointerINTEL_fn)
      clGetExtensionFunctionAddressForPlatform(host.platform, "clSetKernelArgMemPointerINTEL");
  cl_int error;
  cl_int* memory = allocate(host.context, host.device, NULL, 64 * sizeof(cl_int), 0, &error);
  check(error);
  check(setPointer(b.kernel, 0, memory));
#ifdef RIGHT
  launch1(&host, b, 64);
#else
  launch1(&host, b, 65);
#endif
  check(release(host.context, memory));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
