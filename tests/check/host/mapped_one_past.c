// SPDX-License-Identifier: Apache-2.0
// The host writes one number behind a small region in the middle of its buffer. Shared memory of fine grain beside it
// is the host's, too.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 256);
  int* shared = clSVMAlloc(host.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 256, 0);
  cl_int error;
  int* data = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 128, 64, 0, NULL, NULL, &error);  // also
  check(error);
  for (int i = 0; i < 64; ++i) shared[i] = i;
#ifdef RIGHT
  const int last = 15;
#else
  const int last = 16;
#endif
  for (int i = 0; i <= last; ++i) data[i] = i;  // wrong
  check(clEnqueueUnmapMemObject(host.queue, m, data, 0, NULL, NULL));
  check(clFinish(host.queue));
  clSVMFree(host.context, shared);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
