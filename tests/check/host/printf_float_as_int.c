// SPDX-License-Identifier: Apache-2.0
// A float is printed as an int.
// kind: printf-format
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
#ifdef RIGHT
  const char* source = SOURCE_LINE "kernel void show(global float* x) { printf(\"%f\\n\", x[0]); }\n";
#else
  const char* source = SOURCE_LINE "kernel void show(global float* x) { printf(\"%d\\n\", x[0]); }\n";  // wrong
#endif
  Built b = makeBuilt(&host, source, "show", "");
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
