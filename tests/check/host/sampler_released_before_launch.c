// SPDX-License-Identifier: Apache-2.0
// A sampler among the arguments of a kernel is released before the launch.
// kind: use-after-release
// findings: 1
#include "host.h"

static const char* const reader =
    "kernel void k(read_only image2d_t i, sampler_t s, global float* o) {\n"
    "  o[get_global_id(0)] = read_imagef(i, s, (float2)(0.5f, 0.5f)).x;\n"
    "}\n";

int program(void) {
  Host host = openHost();
  cl_int error;
  const size_t global = COUNT;
  Built b = makeBuilt(&host, reader, "k", "");
  cl_mem image = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0, NULL, CL_MEM_READ_ONLY);
  fillImage(&host, image, 4, 4, 1);
  cl_mem m = makeBuffer(&host, BYTES);
  cl_sampler sampler = clCreateSampler(host.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);  // also
  check(error);
  setMemory(b, 0, image);
  setMemory(b, 2, m);
  check(clSetKernelArg(b.kernel, 1, sizeof sampler, &sampler));
#ifndef RIGHT
  check(clReleaseSampler(sampler));  // also
#endif
  clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // wrong
  check(clFinish(host.queue));
#ifdef RIGHT
  check(clReleaseSampler(sampler));
#endif
  check(clReleaseMemObject(image));
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
