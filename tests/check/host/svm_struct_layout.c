// SPDX-License-Identifier: Apache-2.0
// Structures in shared memory have a member more than the kernel's.
// kind: argument-kind
#include "host.h"

typedef struct {
  cl_int key;
#ifndef RIGHT
  cl_int hash;
#endif
  cl_float value;
} Entry;
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { int key; float value; } Entry;\n"
      SOURCE_LINE "kernel void clear(global Entry* entries) { entries[get_global_id(0)].value = 0; }\n",
      "clear", "");
  Entry* entries = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 16 * sizeof(Entry), 0);
  if (!entries) return 4;
  check(clSetKernelArgSVMPointer(b.kernel, 0, entries));  // wrong
  launch1(&host, b, 16);
  clSVMFree(host.context, entries);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
