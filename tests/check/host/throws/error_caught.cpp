// SPDX-License-Identifier: Apache-2.0
// A launch fails, and the program goes on. Right, the classes that wrap OpenCL throw, the program prints what was
// thrown, goes on with other commands, and ends well.
// kind: api-error
#include "../host.h"

#ifdef RIGHT
// The name of opencl.hpp's exception; the header itself may not be installed.
namespace cl {
class Error {
public:
  explicit Error(cl_int error) : error_(error) {}
  cl_int err() const { return error_; }

private:
  cl_int error_;
};
}  // namespace cl
static void launch(cl_command_queue queue, cl_kernel kernel) {
  const size_t global = COUNT, local = 1 << 20;
  const cl_int error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
  if (error != CL_SUCCESS) throw cl::Error(error);
}
#endif

int main() {
  Host host = openHost();
  Built b = makeBuilt(&host, kernelSource, "fill", "");
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_int value = 3;
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof value, &value));
#ifdef RIGHT
  try {
    launch(host.queue, b.kernel);
  } catch (const cl::Error& error) {
    printf("caught %d\n", error.err());
  }
#else
  const size_t global = COUNT, local = 1 << 20;
  clEnqueueNDRangeKernel(host.queue, b.kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);  // wrong
#endif
  fillBuffer(&host, m, BYTES);  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
