// SPDX-License-Identifier: Apache-2.0
// The structure of the host is packed, the kernel's is not.
// kind: argument-kind
#include "host.h"

#ifdef RIGHT
typedef struct { cl_char tag; cl_int value; } Cell;
#else
typedef struct __attribute__((packed)) { cl_char tag; cl_int value; } Cell;
#endif
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { char tag; int value; } Cell;\n"
      SOURCE_LINE "kernel void count(global Cell* cells) { cells[get_global_id(0)].value = get_global_id(0); }\n",
      "count", "");
  cl_mem m = makeBuffer(&host, 16 * 8);
  fillBuffer(&host, m, 16 * 8);
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  launch1(&host, b, 16);
  Cell cells[16];
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, sizeof cells, cells, 0, NULL, NULL));  // also
  if (cells[0].value != 0) puts("other");
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
