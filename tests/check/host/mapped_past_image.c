// SPDX-License-Identifier: Apache-2.0
// All rows of an image are mapped, and the host writes one number more, where nothing is.
// kind: host-pointer-use
// says: byte 65536 of the region$
#include "host.h"

int program(void) {
  Host host = openHost();
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
  cl_int error;
  cl_mem image = clCreateImage(host.context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
  check(error);
  const size_t origin[3] = {0, 0, 0}, region[3] = {64, 64, 1};
  size_t pitch;
  float* texels =
      clEnqueueMapImage(host.queue, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, origin, region, &pitch,  // also
                        NULL, 0, NULL, NULL, &error);
  check(error);
#ifdef RIGHT
  const int count = 64 * 64 * 4;
#else
  const int count = 64 * 64 * 4 + 1;
#endif
  for (int i = 0; i < count; ++i) texels[i] = 1;  // wrong
  check(clEnqueueUnmapMemObject(host.queue, image, texels, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(image));
  closeHost(&host);
  return 0;
}
