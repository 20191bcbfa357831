// SPDX-License-Identifier: Apache-2.0
// Points of three floats, where the kernel has float3, which takes 16 bytes.
// kind: argument-kind
#include "host.h"

#ifdef RIGHT
typedef struct { cl_float x, y, z, unused; } Point;
#else
typedef struct { cl_float x, y, z; } Point;
#endif
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void shift(global float3* p, global float* out) {\n"
      "  out[get_global_id(0)] = p[get_global_id(0)].x;\n"
      "}\n",
      "shift", "");
  Point points[64];
  for (int i = 0; i < 64; ++i) points[i].x = points[i].y = points[i].z = i;
  cl_mem in = makeBuffer(&host, 64 * 16), out = makeBuffer(&host, 64 * sizeof(cl_float));
  const cl_uint zero = 0;
  check(clEnqueueFillBuffer(host.queue, in, &zero, sizeof zero, 0, 64 * 16, 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, in, CL_TRUE, 0, sizeof points, points, 0, NULL, NULL));  // also
  check(clSetKernelArg(b.kernel, 0, sizeof in, &in));  // wrong
  setMemory(b, 1, out);
  launch1(&host, b, 64);
  check(clReleaseMemObject(in));
  check(clReleaseMemObject(out));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
