// SPDX-License-Identifier: Apache-2.0
// A sampler is never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const cl_sampler_properties properties[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
  cl_sampler sampler = clCreateSamplerWithProperties(host.context, properties, &error);  // wrong
  check(error);
#ifdef RIGHT
  check(clReleaseSampler(sampler));
#else
  (void)sampler;
#endif
  closeHost(&host);
  return 0;
}
