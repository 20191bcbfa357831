// SPDX-License-Identifier: Apache-2.0
// An image is never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc size = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
  cl_mem image = clCreateImage(host.context, CL_MEM_READ_WRITE, &format, &size, NULL, &error);  // wrong
  check(error);
#ifdef RIGHT
  check(clReleaseMemObject(image));
#else
  (void)image;
#endif
  closeHost(&host);
  return 0;
}
