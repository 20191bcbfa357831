// SPDX-License-Identifier: Apache-2.0
// Two threads set arguments of one kernel object and launch it, with a lock around the launch only.
// kind: kernel-shared-by-threads
// findings: 1
#include "host.h"

#include <pthread.h>
static Host host;
static Built b;
static cl_mem memory[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* which) {
  const cl_int value = 1;
  const size_t global = 64;
  for (int i = 0; i < 50; ++i) {
#ifdef RIGHT
    pthread_mutex_lock(&lock);
#endif
    check(clSetKernelArg(b.kernel, 0, sizeof(cl_mem), which));  // also
    check(clSetKernelArg(b.kernel, 1, sizeof value, &value));   // also
#ifndef RIGHT
    pthread_mutex_lock(&lock);
#endif
    check(clEnqueueNDRangeKernel(host.queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}
int program(void) {
  host = openHost();
  b = makeBuilt(&host, kernelSource, "fill", "");
  for (int i = 0; i < 2; ++i) memory[i] = makeBuffer(&host, BYTES);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &memory[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  check(clFinish(host.queue));
  for (int i = 0; i < 2; ++i) check(clReleaseMemObject(memory[i]));
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
