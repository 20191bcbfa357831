// SPDX-License-Identifier: Apache-2.0
// A structure of floats alone, in which the kernel's float3 makes padding that the host's has not: its size divides the
// kernel's.
// kind: argument-kind
#include "host.h"

typedef struct {
#ifdef RIGHT
  cl_float3 position;
#else
  cl_float position[3];
#endif
  cl_float mass;
} Body;

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { float3 position; float mass; } Body;\n"
      SOURCE_LINE "kernel void fall(global Body* b) { b[get_global_id(0)].position.y -= b[get_global_id(0)].mass; }\n",
      "fall", "");
  Body* bodies = (Body*)calloc(32, sizeof *bodies);
  cl_mem m = makeBuffer(&host, 1024);
  fillBuffer(&host, m, 1024);
  check(clEnqueueWriteBuffer(host.queue, m, CL_TRUE, 0, 32 * sizeof *bodies, bodies, 0, NULL, NULL));  // also
  // Four-component vectors of the host may be anything that has as many numbers.
  cl_float4* parts = (cl_float4*)calloc(64, sizeof *parts);
  check(clEnqueueWriteBuffer(host.queue, m, CL_TRUE, 0, 64 * sizeof *parts, parts, 0, NULL, NULL));
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  launch1(&host, b, 32);
  check(clReleaseMemObject(m));
  free(bodies);
  free(parts);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
