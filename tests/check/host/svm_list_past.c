// SPDX-License-Identifier: Apache-2.0
// The last element of a list in shared memory points behind the end.
// kind: out-of-bounds
#include "host.h"

typedef struct Item { int value; struct Item* next; } Item;
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct Item { int value; global struct Item* next; } Item;\n"
      "kernel void sum(global Item* first, global int* out) {\n"
      "  int s = 0;\n"
      "  for (global Item* i = first; i; i = i->next)\n"  // also
      "    s += i->value;\n"  // wrong
      "  *out = s;\n"
      "}\n",
      "sum", "-cl-std=CL2.0");
  Item* items = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4 * sizeof(Item), 0);
  int* out = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4, 0);
  check(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_WRITE, items, 4 * sizeof(Item), 0, NULL, NULL));
  for (int i = 0; i < 4; ++i) items[i] = (Item){i, items + i + 1};
#ifdef RIGHT
  items[3].next = NULL;
#endif
  check(clEnqueueSVMUnmap(host.queue, items, 0, NULL, NULL));
  check(clSetKernelArgSVMPointer(b.kernel, 0, items));
  check(clSetKernelArgSVMPointer(b.kernel, 1, out));
  launch1(&host, b, 1);
  clSVMFree(host.context, items);
  clSVMFree(host.context, out);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
