// SPDX-License-Identifier: Apache-2.0
// The target of a copy from shared memory is used too early.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 1 << 20, 0);
  int* data = malloc(1 << 20);
  const int zero = 0;
  check(clEnqueueSVMMemFill(host.queue, p, &zero, 4, 1 << 20, 0, NULL, NULL));
#ifdef RIGHT
  check(clEnqueueSVMMemcpy(host.queue, CL_TRUE, data, p, 1 << 20, 0, NULL, NULL));
#else
  check(clEnqueueSVMMemcpy(host.queue, CL_FALSE, data, p, 1 << 20, 0, NULL, NULL));  // also
#endif
  unsigned sum = 0;  // of whatever is there
  for (int i = 0; i < 1 << 18; ++i) sum += data[i];  // wrong
  check(clFinish(host.queue));
  printf("%u\n", sum);
  free(data);
  clSVMFree(host.context, p);
  closeHost(&host);
  return 0;
}
