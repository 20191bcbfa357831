// SPDX-License-Identifier: Apache-2.0
// Memory that the host has as what the kernel may read as its own, and one structure that it may not.
// kind: argument-kind
#include "host.h"

typedef struct { cl_uchar r, g, b, a; } Colour;
typedef struct { cl_float m[16]; } Matrix;
#ifdef RIGHT
typedef struct { cl_float3 centre; cl_short kind, flags; cl_float radius; } Ball;
#else
typedef struct { cl_float centre[3]; cl_short kind, flags; cl_float radius; } Ball;
#endif
static Colour colours[16];
static cl_half halves[16];
static cl_float vectors[64];
static Matrix matrices[4];
static cl_double bits[16];
static cl_long longs[16];
static Ball balls[16];
static struct { Ball* all; cl_uint count; } scene = {balls, 16};

static cl_mem give(const Host* host, Built b, cl_uint index, cl_mem m) {
  const cl_uint zero = 0;
  check(clEnqueueFillBuffer(host->queue, m, &zero, sizeof zero, 0, 1024, 0, NULL, NULL));
  check(clSetKernelArg(b.kernel, index, sizeof m, &m));  // also
  return m;
}

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { float3 centre; ushort kind, flags; float radius; } Ball;\n"
      SOURCE_LINE "kernel void views(global uint* colours, global half* halves, global float4* vectors,\n"
      "    global float4* matrices, global uint2* bits, global int* longs, global Ball* balls) {\n"
      "  const size_t i = get_global_id(0);\n"
      "  colours[i] = vload_half(i, halves) + vectors[i].x + matrices[i].y + bits[i].x + longs[i];\n"
      "  balls[i].radius += 1;\n"
      "}\n",
      "views", "");
  cl_mem m[7];
  for (cl_uint i = 0; i < 7; ++i) m[i] = give(&host, b, i, makeBuffer(&host, 1024));
  check(clEnqueueWriteBuffer(host.queue, m[0], CL_TRUE, 0, sizeof colours, colours, 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, m[1], CL_TRUE, 0, sizeof halves, halves, 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, m[2], CL_TRUE, 0, sizeof vectors, (void*)vectors, 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, m[3], CL_TRUE, 0, sizeof matrices, matrices, 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, m[4], CL_TRUE, 0, sizeof bits, bits, 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, m[5], CL_TRUE, 0, sizeof longs, &longs[0], 0, NULL, NULL));
  check(clEnqueueWriteBuffer(host.queue, m[6], CL_TRUE, 0, sizeof balls, scene.all, 0, NULL, NULL));  // wrong
  launch1(&host, b, 16);
  for (int i = 0; i < 7; ++i) check(clReleaseMemObject(m[i]));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
