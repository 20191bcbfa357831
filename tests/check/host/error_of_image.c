// SPDX-License-Identifier: Apache-2.0
// An image has a format that is not supported.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
#ifdef RIGHT
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
#else
  const cl_image_format format = {CL_RGB, CL_UNORM_INT8};
#endif
  cl_image_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 8;
  cl_int error;
  cl_mem m = clCreateImage(host.context, 0, &format, &desc, NULL, &error);  // wrong
  Built b = makeBuilt(
      &host, "kernel void w(write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(1)); }", "w", "");
  clSetKernelArg(b.kernel, 0, sizeof m, &m);  // also
  size_t one = 1;
  clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &one, NULL, 0, NULL, NULL);  // also
  check(clFinish(host.queue));
  if (m) clReleaseMemObject(m);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
