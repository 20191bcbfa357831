// SPDX-License-Identifier: Apache-2.0
// A few numbers of CL_MEM_USE_HOST_PTR are read where a kernel has written them, without being mapped.
// kind: host-pointer-use
// needs: breakpoints
#include "host.h"

int program(void) {
  Host host = openHost();
  int numbers[16] = {0};
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, sizeof numbers, numbers, &error);  // also
  check(error);
  Built b = makeBuilt(&host, "kernel void five(global int* a) { a[get_global_id(0)] = 5; }", "five", "");
  setMemory(b, 0, m);
  launch1(&host, b, 16);
#ifdef RIGHT
  int* mapped = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ, 0, sizeof numbers, 0, NULL, NULL, &error);
  check(error);
  printf("%d\n", mapped[1]);
  check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
  check(clFinish(host.queue));
#else
  printf("%d\n", numbers[1]);  // wrong
#endif
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
