// SPDX-License-Identifier: Apache-2.0
// The callback of a memory object's destructor calls clFinish.
// kind: blocking-in-callback
#include "host.h"

static Host theHost;
static void CL_CALLBACK gone(cl_mem m, void* data) {
  (void)m;
  (void)data;
#ifndef RIGHT
  check(clFinish(theHost.queue));  // wrong
#endif
}
int program(void) {
  theHost = openHost();
  cl_mem m = makeBuffer(&theHost, BYTES);
  check(clSetMemObjectDestructorCallback(m, gone, NULL));  // also
  check(clReleaseMemObject(m));
  check(clFinish(theHost.queue));
  closeHost(&theHost);
  return 0;
}
