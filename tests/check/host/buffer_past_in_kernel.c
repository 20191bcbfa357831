// SPDX-License-Identifier: Apache-2.0
// The buffer is made with a number of elements where bytes are meant.
// kind: out-of-bounds
#include "host.h"

int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "kernel void put(global float* to) { to[get_global_id(0)] = 1; }\n",  // wrong
      "put", "");
#ifdef RIGHT
  cl_mem m = makeBuffer(&host, 256 * sizeof(float));
#else
  cl_mem m = makeBuffer(&host, 256);
#endif
  setMemory(b, 0, m);
  launch1(&host, b, 256);
  check(clReleaseMemObject(m));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
