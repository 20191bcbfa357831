// SPDX-License-Identifier: Apache-2.0
// A kernel stores to an address that it may not access, which is found too; no call asks how the launch ended.
// kind: command-error fault
#include "host.h"

int program(void) {
  Host host = openHost();
  // In order, the marker below would fail too.
  const cl_queue_properties anyOrder[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  check(clReleaseCommandQueue(host.queue));
  host.queue = clCreateCommandQueueWithProperties(host.context, host.device, anyOrder, NULL);
  cl_program built =
      buildProgram(&host, "kernel void far(global int* p, ulong at) { *(global int*)at = 1; p[0] = 1; }");
  cl_kernel kernel = makeKernel(built, "far");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const size_t global = 1;
#ifdef RIGHT
  int* target = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 64, 0);
  const cl_ulong at = (cl_ulong)(size_t)target;
#else
  const cl_ulong at = (cl_ulong)1 << 40;
#endif
  cl_event event;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof at, &at));
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
  check(clEnqueueMarkerWithWaitList(host.queue, 0, NULL, &event));
  check(clWaitForEvents(1, &event));
  check(clReleaseEvent(event));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
#ifdef RIGHT
  clSVMFree(host.context, target);
#endif
  closeHost(&host);
  return 0;
}
