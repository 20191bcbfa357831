// SPDX-License-Identifier: Apache-2.0
// A structure of parameters with a double and an int, where the kernel has two floats and two ints.
// kind: argument-kind
#include "host.h"

#ifdef RIGHT
typedef struct { cl_float dt, t; cl_int n, m; } Step;
#else
typedef struct { double dt; cl_int n, m; } Step;
#endif
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { float dt, t; int n, m; } Step;\n"
      SOURCE_LINE "kernel void advance(global float* out, Step step) { out[get_global_id(0)] = step.dt * step.n; }\n",
      "advance", "");
  Step step;
  memset(&step, 0, sizeof step);
  step.dt = 0.1;
  step.n = 5;
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof step, &step));  // wrong
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
