/* SPDX-License-Identifier: Apache-2.0 */
/* The program of README's picture of `clarity check`: it runs the kernel of sum.cl once. */
#include "example.h"

enum { COUNT = 1024, GROUP = 64 };

int main(void) {
  static char source[4096];
  FILE* file = fopen("sum.cl", "r");
  if (!file || fread(source, 1, sizeof source - 1, file) == 0) return 3;
  fclose(file);

  begin();
  float numbers[COUNT], sums[COUNT / GROUP], total = 0;
  for (int i = 0; i < COUNT; ++i) numbers[i] = 1;
  cl_mem in = makeBuffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
  cl_mem out = makeBuffer(CL_MEM_WRITE_ONLY, sizeof sums, NULL);
  cl_kernel kernel = makeKernel(source, "sum");
  require(clSetKernelArg(kernel, 0, sizeof in, &in));
  require(clSetKernelArg(kernel, 1, sizeof out, &out));
  require(clSetKernelArg(kernel, 2, GROUP * sizeof(float), NULL));
  const size_t global = COUNT, local = GROUP;
  require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  require(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
  for (int i = 0; i < COUNT / GROUP; ++i) total += sums[i];
  printf("the sum is %g\n", total);

  require(clReleaseKernel(kernel));
  require(clReleaseMemObject(in));
  require(clReleaseMemObject(out));
  end();
  return 0;
}
