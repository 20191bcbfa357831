// SPDX-License-Identifier: Apache-2.0
// The kernel is given the first element of a list in shared memory, and is not told of the last one.
// kind: svm-not-named
// findings: 1
#include "host.h"

typedef struct Item {
  int value;
  struct Item* next;
} Item;
int program(void) {
  enum { ITEMS = 3 };
  Host host = openHost();
  Built b = makeBuilt(&host,
                      "typedef struct Item { int value; global struct Item* next; } Item;\n"
                      "kernel void sum(global Item* first, global int* out) {\n"
                      "  int s = 0;\n"
                      "  for (global Item* i = first; i; i = i->next) s += i->value;\n"
                      "  *out = s;\n"
                      "}\n",
                      "sum", "-cl-std=CL2.0");
  Item* items[ITEMS];
  int* out = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4, 0);
  for (int i = ITEMS - 1; i >= 0; --i) {
    items[i] = clSVMAlloc(host.context, CL_MEM_READ_WRITE, sizeof(Item), 0);  // also
    check(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_WRITE, items[i], sizeof(Item), 0, NULL, NULL));
    *items[i] = (Item){i, i + 1 < ITEMS ? items[i + 1] : NULL};
    check(clEnqueueSVMUnmap(host.queue, items[i], 0, NULL, NULL));
  }
  check(clSetKernelArgSVMPointer(b.kernel, 0, items[0]));
  check(clSetKernelArgSVMPointer(b.kernel, 1, out));
#ifdef RIGHT
  check(clSetKernelExecInfo(b.kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, (ITEMS - 1) * sizeof(void*), items + 1));
#else
  check(clSetKernelExecInfo(b.kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(void*), items + 1));
#endif
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &one, NULL, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  for (int i = 0; i < ITEMS; ++i) clSVMFree(host.context, items[i]);
  clSVMFree(host.context, out);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
