// SPDX-License-Identifier: Apache-2.0
// The width of the elements of a vector is left out.
// kind: printf-format
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
#ifdef RIGHT
  const char* source = SOURCE_LINE "kernel void show(global double4* x) { printf(\"%v4lf\\n\", x[0]); }\n";
#else
  const char* source = SOURCE_LINE "kernel void show(global double4* x) { printf(\"%v4f\\n\", x[0]); }\n";  // wrong
#endif
  Built b = makeBuilt(&host, source, "show", "");
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
