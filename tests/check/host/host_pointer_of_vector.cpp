// SPDX-License-Identifier: Apache-2.0
// The memory of a buffer is that of a vector, which the function that makes the buffer destroys. The driver gets it
// from the heap before the next command. Where nothing of the block is left, it is memory that has changed.
// kind: host-memory-freed host-pointer-use
// needs: malloc
#include "host.h"

#include <vector>

namespace {

cl_mem bufferOf(const Host& host, std::vector<float>& kept) {
#ifdef RIGHT
  std::vector<float>& numbers = kept;
#else
  std::vector<float> numbers(kept);
#endif
  cl_int error;
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, numbers.size() * sizeof(float),  // wrong
                                 numbers.data(), &error);
  check(error);
  return buffer;
}

}  // namespace

int program(void) {
  Host host = openHost();
  std::vector<float> kept(4 * COUNT, 1.0f);
  Built b = makeBuilt(&host, kernelSource, "copy", "");
  cl_mem result = makeBuffer(&host, COUNT * sizeof(float));
  cl_mem buffer = bufferOf(host, kept);
  cl_kernel more[64];
  for (cl_kernel& kernel : more) kernel = makeKernel(b.program, "copy");  // also
  for (cl_kernel& kernel : more) check(clReleaseKernel(kernel));
  setMemory(b, 0, buffer);   // also
  setMemory(b, 1, result);   // also
  launch1(&host, b, COUNT);  // also; what is written would be the driver's
  check(clReleaseMemObject(buffer));
  check(clReleaseMemObject(result));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
