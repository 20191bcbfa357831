// SPDX-License-Identifier: Apache-2.0
// A format names an argument more than there are, in a program that is compiled and linked.
// kind: printf-format
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
#ifdef RIGHT
  const char* source = SOURCE_LINE "kernel void f(int x, float4 v) { printf(\"%d: %v4hlf\\n\", x, v); }\n";
#else
  const char* source = SOURCE_LINE "kernel void f(int x, float4 v) { printf(\"%d: %v4hlf %d\\n\", x, v); }\n";  // wrong
#endif
  cl_program compiled = clCreateProgramWithSource(host.context, 1, &source, NULL, &error);
  check(error);
  check(clCompileProgram(compiled, 1, &host.device, "", 0, NULL, NULL, NULL, NULL));
  cl_program linked = clLinkProgram(host.context, 1, &host.device, "", 1, &compiled, NULL, NULL, &error);
  check(error);
  cl_kernel kernel = makeKernel(linked, "f");
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(linked));
  check(clReleaseProgram(compiled));
  closeHost(&host);
  return 0;
}
