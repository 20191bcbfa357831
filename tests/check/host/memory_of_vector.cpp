// SPDX-License-Identifier: Apache-2.0
// The second half of a vector is read into, from an element that lies too far behind.
// kind: host-memory-too-small
// findings: 1
// needs: malloc
#include "host.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <vector>

extern "C" int program(void) {
  cl::Context context(CL_DEVICE_TYPE_ALL);
  cl::CommandQueue queue(context);
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, BYTES);
  queue.enqueueFillBuffer(buffer, 0, 0, BYTES);
  std::vector<float> both(2 * COUNT);
#ifdef RIGHT
  float* const half = &both[COUNT];
#else
  float* const half = &both[COUNT + 16];
#endif
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, BYTES, half);  // wrong
  return 0;
}
