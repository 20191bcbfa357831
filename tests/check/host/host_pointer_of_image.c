// SPDX-License-Identifier: Apache-2.0
// Memory of CL_MEM_USE_HOST_PTR is an image's, and is read without being mapped.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      "kernel void mark(write_only image2d_t out) {\n"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
      "  write_imagef(out, at, (float4)(at.x, at.y, 0, 1));\n"
      "}\n",
      "mark", "");
  float* data = aligned_alloc(4096, 64 * 64 * 16);
  memset(data, 0, 64 * 64 * 16);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 64;
  cl_int error;
  cl_mem m = clCreateImage(host.context, CL_MEM_USE_HOST_PTR, &format, &description, data, &error);  // also
  check(error);
  setMemory(b, 0, m);
  launch2(&host, b, 64, 64);
#ifdef RIGHT
  const size_t origin[3] = {0, 0, 0}, region[3] = {64, 64, 1};
  size_t pitch;
  void* mapped = clEnqueueMapImage(host.queue, m, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL, NULL,
                                   &error);
  check(error);
#endif
  printf("%g\n", data[100]);  // wrong
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, m, mapped, 0, NULL, NULL));
  check(clFinish(host.queue));
#endif
  check(clReleaseMemObject(m));
  free(data);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
