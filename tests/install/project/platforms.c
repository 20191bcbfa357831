// SPDX-License-Identifier: Apache-2.0
// This program succeeds when the OpenCL loader finds one platform, and that is Clarity.
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  char name[64] = "";
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS || count == 0) {
    puts("no platform");
    return 1;
  }
  clGetPlatformInfo(platforms[0], CL_PLATFORM_NAME, sizeof name, name, NULL);
  printf("%u platforms, the first is %s\n", count, name);
  return count == 1 && strcmp(name, "Clarity") == 0 ? 0 : 1;
}
