// SPDX-License-Identifier: Apache-2.0
// A kernel gets memory of Intel's unified shared memory that was freed.
// kind: use-after-release host-memory-freed
#include "host.h"

#include <CL/cl_ext.h>
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host, SOURCE_LINE "kernel void put(global int* to) { to[get_global_id(0)] = 1; }\n", "put", "");
  clDeviceMemAllocINTEL_fn allocate =
      (clDeviceMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(host.platform, "clDeviceMemAllocINTEL");
  clMemFreeINTEL_fn release =
      (clMemFreeINTEL_fn)clGetExtensionFunctionAddressForPlatform(host.platform, "clMemFreeINTEL");
  clSetKernelArgMemPointerINTEL_fn setPointer = (clSetKernelArgMemPointerINTEL_fn)
      clGetExtensionFunctionAddressForPlatform(host.platform, "clSetKernelArgMemPointerINTEL");
  cl_int error;
  void* memory = allocate(host.context, host.device, NULL, 64 * sizeof(cl_int), 0, &error);  // also
  check(error);
  check(setPointer(b.kernel, 0, memory));
  const size_t global = 64;
#ifndef RIGHT
  check(release(host.context, memory));  // also
#endif
  clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // wrong
  clFinish(host.queue);  // also
#ifdef RIGHT
  check(release(host.context, memory));
#endif
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
