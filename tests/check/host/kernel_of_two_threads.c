// SPDX-License-Identifier: Apache-2.0
// Two threads set the arguments of one kernel object and launch it, each with its own buffer, without a lock.
// kind: kernel-shared-by-threads
// findings: 1
#include "host.h"

#include <pthread.h>

typedef struct {
  Host* host;
  cl_kernel kernel;
  cl_mem buffer;
  pthread_mutex_t* lock;
} Work;

static void* launch(void* data) {
  const Work* work = data;
  const size_t global = 64;
  for (int i = 0; i < 100; ++i) {
    const float factor = i;
#ifdef RIGHT
    pthread_mutex_lock(work->lock);
#endif
    check(clSetKernelArg(work->kernel, 0, sizeof work->buffer, &work->buffer));                             // also
    check(clSetKernelArg(work->kernel, 1, sizeof factor, &factor));                                         // also
    check(clEnqueueNDRangeKernel(work->host->queue, work->kernel, 1, NULL, &global, NULL, 0, NULL, NULL));  // wrong
#ifdef RIGHT
    pthread_mutex_unlock(work->lock);
#endif
  }
  return NULL;
}

int program(void) {
  Host host = openHost();
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[2];
  Work work[2];
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  for (int i = 0; i < 2; ++i) {
    work[i] = (Work){&host, kernel, makeBuffer(&host, BYTES), &lock};
    fillBuffer(&host, work[i].buffer, BYTES);
  }
  check(clFinish(host.queue));
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, launch, &work[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  check(clFinish(host.queue));
  for (int i = 0; i < 2; ++i) check(clReleaseMemObject(work[i].buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
