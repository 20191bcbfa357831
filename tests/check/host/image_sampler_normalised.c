// SPDX-License-Identifier: Apache-2.0
// Pixels are counted, and the sampler takes coordinates from 0 to 1.
// kind: image-sampler
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void look(read_only image2d_t in, sampler_t how, global float* out) {\n"
      "  const int x = get_global_id(0), y = get_global_id(1);\n"
      SOURCE_LINE "  out[y * 16 + x] = read_imagef(in, how, (int2)(x, y)).x;\n"  // wrong
      "}\n",
      "look", "");
#ifdef RIGHT
  const cl_bool normalised = CL_FALSE;
  const cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  const cl_filter_mode filter = CL_FILTER_NEAREST;
#else
  const cl_bool normalised = CL_TRUE;
  const cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  const cl_filter_mode filter = CL_FILTER_NEAREST;
#endif
  cl_int error;
  const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, normalised, CL_SAMPLER_ADDRESSING_MODE,
                                        addressing, CL_SAMPLER_FILTER_MODE, filter, 0};
  cl_sampler sampler = clCreateSamplerWithProperties(host.context, list, &error);
  check(error);
  lookAtImage(&host, b, CL_UNORM_INT8, sampler);
  check(clReleaseSampler(sampler));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
