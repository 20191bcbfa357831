// SPDX-License-Identifier: Apache-2.0
// The members of the structures in a buffer are in another order than the kernel's.
// kind: argument-kind
#include "host.h"

#ifdef RIGHT
typedef struct { cl_int id; cl_float mass; } Body;
#else
typedef struct { cl_float mass; cl_int id; } Body;
#endif
int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { int id; float mass; } Body;\n"
      SOURCE_LINE "kernel void heavier(global Body* bodies) { bodies[get_global_id(0)].mass *= 2; }\n",
      "heavier", "");
  Body* bodies = malloc(32 * sizeof(Body));
  for (int i = 0; i < 32; ++i) bodies[i].id = i, bodies[i].mass = 1;
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 32 * sizeof(Body),  // also
                            bodies, &error);
  check(error);
  free(bodies);
  check(clSetKernelArg(b.kernel, 0, sizeof m, &m));  // wrong
  launch1(&host, b, 32);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
