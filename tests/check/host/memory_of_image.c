// SPDX-License-Identifier: Apache-2.0
// An image with four channels is read into memory for one. The rows that fit are read, so that the program goes on with
// its heap as it was.
// kind: host-memory-too-small
// findings: 1
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 16, .image_height = 16, .image_depth = 4};
  cl_int error;
  cl_mem image = clCreateImage(host.context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
  check(error);
  const cl_float4 colour = {{1, 2, 3, 4}};
  const size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 4};
  check(clEnqueueFillImage(host.queue, image, &colour, origin, region, 0, NULL, NULL));
#ifdef RIGHT
  float* texels = (float*)malloc(16 * 16 * 4 * sizeof colour);
#else
  float* texels = (float*)malloc(16 * 16 * 4 * sizeof *texels);
#endif
  int* behind = (int*)calloc(1000, sizeof *behind);
  check(clEnqueueReadImage(host.queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));  // wrong
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += behind[i];
  if (sum != 0 || texels[3] != 4 || texels[1020] != 1) abort();
  free(behind);
  free(texels);
  check(clReleaseMemObject(image));
  closeHost(&host);
  return 0;
}
