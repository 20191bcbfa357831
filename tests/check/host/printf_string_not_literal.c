// SPDX-License-Identifier: Apache-2.0
// A buffer is printed as a string, which only literals are.
// kind: printf-format
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
#ifdef RIGHT
  const char* source = SOURCE_LINE "kernel void show(global char* x) { printf(\"%s %d\\n\", \"byte\", x[0]); }\n";
#else
  const char* source = SOURCE_LINE "kernel void show(global char* x) { printf(\"%s %d\\n\", x, x[0]); }\n";  // wrong
#endif
  Built b = makeBuilt(&host, source, "show", "");
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
