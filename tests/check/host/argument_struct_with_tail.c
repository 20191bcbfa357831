// SPDX-License-Identifier: Apache-2.0
// Two members of a structure are swapped, behind which there is space that belongs to none; another argument is chosen.
// kind: argument-kind
#include "host.h"

#ifdef RIGHT
typedef struct { cl_float4 gravity; cl_float duration; cl_uchar enabled; } World;
#else
typedef struct { cl_float4 gravity; cl_uchar enabled; cl_float duration; } World;
#endif
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { float4 gravity; float duration; uchar enabled; } World;\n"
      SOURCE_LINE "kernel void fall(global float* out, World world, int steps) {\n"
      "  out[get_global_id(0)] = world.enabled ? world.duration * steps : 0;\n"
      "}\n",
      "fall", "");
  World world;
  memset(&world, 0, sizeof world);
  world.duration = 2;
  cl_mem m = makeBuffer(&host, BYTES);
  setMemory(b, 0, m);
  check(clSetKernelArg(b.kernel, 1, sizeof world, &world));  // wrong
  const cl_int narrow = 3;
  const cl_long wide = 3;
  const int isNarrow = m != NULL;
  check(clSetKernelArg(b.kernel, 2, isNarrow ? 4 : 8, isNarrow ? (const void*)&narrow : (const void*)&wide));
  launch1(&host, b, COUNT);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
