// SPDX-License-Identifier: Apache-2.0
// A marker of the wrong queue orders nothing.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue other = makeQueue(&host, 0);
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES), to = makeBuffer(&host, BYTES);
  const cl_int value = 1;
  const size_t global = COUNT;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof value, &value));
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // also
  cl_event marker;
#ifdef RIGHT
  check(clEnqueueMarkerWithWaitList(host.queue, 0, NULL, &marker));
#else
  check(clEnqueueMarkerWithWaitList(other, 0, NULL, &marker));
#endif
  check(clFlush(host.queue));
  check(clEnqueueCopyBuffer(other, m, to, 0, 0, BYTES, 1, &marker, NULL));  // wrong
  check(clFinish(other));
  check(clFinish(host.queue));
  check(clReleaseEvent(marker));
  check(clReleaseMemObject(m));
  check(clReleaseMemObject(to));
  releaseBuilt(b);
  check(clReleaseCommandQueue(other));
  closeHost(&host);
  return 0;
}
