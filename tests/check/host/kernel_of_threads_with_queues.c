// SPDX-License-Identifier: Apache-2.0
// Threads with command-queues of their own launch one kernel object: that launches meet in the same buffer comes of it,
// and that one of them gets a buffer which another thread has released.
// kind: kernel-shared-by-threads
// findings: 1
#include "host.h"

#include <pthread.h>
static Host host;
static Built b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* times) {
  cl_command_queue queue = makeQueue(&host, 0);
  cl_mem memory = makeBuffer(&host, BYTES);
  const cl_int value = 1;
  const size_t global = 64;
  for (int i = 0; i < (int)(size_t)times; ++i) {
#ifdef RIGHT
    pthread_mutex_lock(&lock);
#endif
    check(clSetKernelArg(b.kernel, 0, sizeof memory, &memory));  // also
    check(clSetKernelArg(b.kernel, 1, sizeof value, &value));    // also
#ifndef RIGHT
    pthread_mutex_lock(&lock);
#endif
    check(clEnqueueNDRangeKernel(queue, b.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
    pthread_mutex_unlock(&lock);
  }
  cl_float first;
  check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL));
  check(clReleaseMemObject(memory));
  check(clReleaseCommandQueue(queue));
  return NULL;
}
int program(void) {
  host = openHost();
  b = makeBuilt(&host, kernelSource, "fill", "");
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, (void*)(size_t)(50 + 10 * i));
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
