// SPDX-License-Identifier: Apache-2.0
// This file runs a graph of commands on an out-of-order queue, ordered by events, by barriers, and with a failure.
#include "sample.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { A, B, SQUARE_A, SQUARE_B, SUM, BUFFERS };
enum { WRITE_A, WRITE_B, RUN_SQUARE_A, RUN_SQUARE_B, RUN_ADD, READ, COMMANDS };

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_kernel squareA, squareB, add;
  cl_mem buffers[BUFFERS];
  size_t count, bytes;
  cl_float *a, *b, *e;
} Problem;

static atomic_int completed, failed;

static void CL_CALLBACK onFinished(cl_event event, cl_int status, void* user) {
  (void)event;
  (void)user;
  atomic_fetch_add(status == CL_COMPLETE ? &completed : &failed, 1);
}

// A callback may come a little later than clWaitForEvents returns. Waits for it, at most that long.
static int waitForCallbacks(atomic_int* counter, int wanted, int milliseconds) {
  for (int i = 0; i < milliseconds && atomic_load(counter) < wanted; ++i)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  return atomic_load(counter) == wanted;
}

static cl_int statusOf(cl_event event) {
  cl_int status;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), "clGetEventInfo");
  return status;
}

static const char* statusName(cl_int status) {
  static const char* const names[] = {"CL_COMPLETE", "CL_RUNNING", "CL_SUBMITTED", "CL_QUEUED"};
  return status >= 0 && status <= 3 ? names[status] : errorName(status);
}

static void runKernel(const Problem* problem, cl_kernel kernel, cl_uint waits, const cl_event* waitList,
                      cl_event* event) {
  check(clEnqueueNDRangeKernel(problem->queue, kernel, 1, NULL, &problem->count, NULL, waits, waitList, event),
        "clEnqueueNDRangeKernel");
}

// Enqueues the whole graph. The order is given by the wait lists alone.
static void enqueueGraph(const Problem* problem, cl_event gate, cl_event* events) {
  check(clEnqueueWriteBuffer(problem->queue, problem->buffers[A], CL_FALSE, 0, problem->bytes, problem->a, 1, &gate,
                             &events[WRITE_A]),
        "clEnqueueWriteBuffer");
  check(clEnqueueWriteBuffer(problem->queue, problem->buffers[B], CL_FALSE, 0, problem->bytes, problem->b, 1, &gate,
                             &events[WRITE_B]),
        "clEnqueueWriteBuffer");
  runKernel(problem, problem->squareA, 1, &events[WRITE_A], &events[RUN_SQUARE_A]);
  runKernel(problem, problem->squareB, 1, &events[WRITE_B], &events[RUN_SQUARE_B]);
  runKernel(problem, problem->add, 2, &events[RUN_SQUARE_A], &events[RUN_ADD]);  // both squares
  check(clEnqueueReadBuffer(problem->queue, problem->buffers[SUM], CL_FALSE, 0, problem->bytes, problem->e, 1,
                            &events[RUN_ADD], &events[READ]),
        "clEnqueueReadBuffer");
}

static int resultRight(const Sample* sample, const Problem* problem) {
  for (size_t i = 0; i < problem->count; ++i) {
    const cl_float should = problem->a[i] * problem->a[i] + problem->b[i] * problem->b[i];
    if (problem->e[i] != should) {
      say(sample, "  element %zu is %g, should be %g\n", i, problem->e[i], should);
      return 0;
    }
  }
  return 1;
}

static void clearResult(Problem* problem) {
  for (size_t i = 0; i < problem->count; ++i) problem->e[i] = -1;
}

static cl_ulong profile(cl_event event, cl_profiling_info which) {
  cl_ulong value;
  check(clGetEventProfilingInfo(event, which, sizeof value, &value, NULL), "clGetEventProfilingInfo");
  return value;
}

// From the first start to the last end, in milliseconds.
static double spanMs(const cl_event* events) {
  cl_ulong start = profile(events[WRITE_A], CL_PROFILING_COMMAND_START);
  const cl_ulong startB = profile(events[WRITE_B], CL_PROFILING_COMMAND_START);
  if (startB < start) start = startB;
  return (double)(profile(events[READ], CL_PROFILING_COMMAND_END) - start) * 1e-6;
}

// No command may start before those in its wait list have ended.
static int timesInOrder(const cl_event* events) {
  static const int before[][2] = {{WRITE_A, RUN_SQUARE_A},
                                  {WRITE_B, RUN_SQUARE_B},
                                  {RUN_SQUARE_A, RUN_ADD},
                                  {RUN_SQUARE_B, RUN_ADD},
                                  {RUN_ADD, READ}};
  for (size_t i = 0; i < sizeof before / sizeof before[0]; ++i)
    if (profile(events[before[i][0]], CL_PROFILING_COMMAND_END) >
        profile(events[before[i][1]], CL_PROFILING_COMMAND_START))
      return 0;
  return 1;
}

static void releaseEvents(cl_event* events) {
  for (int i = 0; i < COMMANDS; ++i) clReleaseEvent(events[i]);
}

// The graph behind a user event: nothing runs until the host completes it.
static void withEvents(Sample* sample, Problem* problem) {
  cl_int status;
  cl_event events[COMMANDS], gate = clCreateUserEvent(problem->context, &status);
  check(status, "clCreateUserEvent");
  clearResult(problem);
  enqueueGraph(problem, gate, events);
  check(clFlush(problem->queue), "clFlush");
  for (int i = 0; i < COMMANDS; ++i)
    check(clSetEventCallback(events[i], CL_COMPLETE, onFinished, NULL), "clSetEventCallback");
  const cl_int gateStatus = statusOf(gate), held = statusOf(events[WRITE_A]);
  say(sample, "  before the host lets go: user event %s, first write %s, result %g\n", statusName(gateStatus),
      statusName(held), (double)problem->e[0]);
  int right = gateStatus == CL_SUBMITTED && held > CL_RUNNING && problem->e[0] == -1;

  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, &events[READ]), "clWaitForEvents");
  right &= resultRight(sample, problem) && statusOf(events[READ]) == CL_COMPLETE && timesInOrder(events);
  right &= waitForCallbacks(&completed, COMMANDS, 10000);
  say(sample, "  after:                   read %s, %d callbacks\n", statusName(statusOf(events[READ])),
      atomic_load(&completed));
  sampleResult(sample, "wait lists", countText(problem->count), spanMs(events), 0, 0, right);
  releaseEvents(events);
  clReleaseEvent(gate);
}

// The same order by barriers: what comes after one waits for all that came before it. The host waits for a marker.
static void withBarriers(Sample* sample, Problem* problem) {
  cl_event events[COMMANDS], marker;
  clearResult(problem);
  check(clEnqueueWriteBuffer(problem->queue, problem->buffers[A], CL_FALSE, 0, problem->bytes, problem->a, 0, NULL,
                             &events[WRITE_A]),
        "clEnqueueWriteBuffer");
  check(clEnqueueWriteBuffer(problem->queue, problem->buffers[B], CL_FALSE, 0, problem->bytes, problem->b, 0, NULL,
                             &events[WRITE_B]),
        "clEnqueueWriteBuffer");
  check(clEnqueueBarrierWithWaitList(problem->queue, 0, NULL, NULL), "clEnqueueBarrierWithWaitList");
  runKernel(problem, problem->squareA, 0, NULL, &events[RUN_SQUARE_A]);
  runKernel(problem, problem->squareB, 0, NULL, &events[RUN_SQUARE_B]);
  check(clEnqueueBarrierWithWaitList(problem->queue, 0, NULL, NULL), "clEnqueueBarrierWithWaitList");
  runKernel(problem, problem->add, 0, NULL, &events[RUN_ADD]);
  check(clEnqueueBarrierWithWaitList(problem->queue, 0, NULL, NULL), "clEnqueueBarrierWithWaitList");
  check(clEnqueueReadBuffer(problem->queue, problem->buffers[SUM], CL_FALSE, 0, problem->bytes, problem->e, 0, NULL,
                            &events[READ]),
        "clEnqueueReadBuffer");
  check(clEnqueueMarkerWithWaitList(problem->queue, 0, NULL, &marker), "clEnqueueMarkerWithWaitList");
  check(clWaitForEvents(1, &marker), "clWaitForEvents");
  const int right = resultRight(sample, problem) && timesInOrder(events);
  sampleResult(sample, "barriers and a marker", countText(problem->count), spanMs(events), 0, 0, right);
  clReleaseEvent(marker);
  releaseEvents(events);
}

// A negative status of the user event ends every dependent command with an error.
static void withFailure(Sample* sample, Problem* problem) {
  cl_int status;
  cl_event events[COMMANDS], gate = clCreateUserEvent(problem->context, &status);
  check(status, "clCreateUserEvent");
  clearResult(problem);
  enqueueGraph(problem, gate, events);
  check(clFlush(problem->queue), "clFlush");
  check(clSetEventCallback(events[READ], CL_COMPLETE, onFinished, NULL), "clSetEventCallback");
  check(clSetUserEventStatus(gate, -42), "clSetUserEventStatus");
  const cl_int waited = clWaitForEvents(1, &events[READ]);
  const cl_int inherited = statusOf(events[READ]);
  const int reported = waitForCallbacks(&failed, 1, 500);  // not every implementation calls back for failures
  say(sample, "  after a failure: clWaitForEvents gives %s, the read ended with %d, result %g, callback reported: %s\n",
      errorName(waited), inherited, (double)problem->e[0], reported ? "yes" : "no");
  const int right = waited == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && inherited < 0 && problem->e[0] == -1;
  sampleResult(sample, "a failed user event", countText(problem->count), 0, 0, 0, right);
  releaseEvents(events);
  clReleaseEvent(gate);
}

static cl_command_queue createQueue(const Sample* sample, cl_context context, cl_device_id device) {
  cl_int status;
  cl_command_queue queue = clCreateCommandQueue(
      context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &status);
  if (status == CL_INVALID_QUEUE_PROPERTIES) {
    say(sample, "  this device has no out-of-order queues: in order then\n");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  }
  check(status, "clCreateCommandQueue");
  return queue;
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.count = 1 << 22};
  const SampleOption options[] = {{"--size", "elements per vector", SAMPLE_COUNT, &problem.count, 1, 1u << 28}};
  SAMPLE_BEGIN(&sample, argc, argv, "run a graph of commands ordered by events, user events and barriers", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = createQueue(&sample, problem.context, device);
  cl_program program = buildProgram(&sample, problem.context, device, "graph.cl", "");
  problem.squareA = clCreateKernel(program, "square", &status);
  check(status, "clCreateKernel");
  problem.squareB = clCreateKernel(program, "square", &status);  // its own object, since it has its own arguments
  check(status, "clCreateKernel");
  problem.add = clCreateKernel(program, "add", &status);
  check(status, "clCreateKernel");

  problem.bytes = problem.count * sizeof(cl_float);
  problem.a = sampleAllocate(problem.count, sizeof(cl_float));
  problem.b = sampleAllocate(problem.count, sizeof(cl_float));
  problem.e = sampleAllocate(problem.count, sizeof(cl_float));
  fillWholeFloats(problem.a, problem.count, 1, -1000, 1000);
  fillWholeFloats(problem.b, problem.count, 2, -1000, 1000);
  for (int i = 0; i < BUFFERS; ++i) {
    problem.buffers[i] = clCreateBuffer(problem.context, CL_MEM_READ_WRITE, problem.bytes, NULL, &status);
    check(status, "clCreateBuffer");
    const cl_float zero = 0;
    check(clEnqueueFillBuffer(problem.queue, problem.buffers[i], &zero, sizeof zero, 0, problem.bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
  }
  check(clSetKernelArg(problem.squareA, 0, sizeof(cl_mem), &problem.buffers[A]), "clSetKernelArg");
  check(clSetKernelArg(problem.squareA, 1, sizeof(cl_mem), &problem.buffers[SQUARE_A]), "clSetKernelArg");
  check(clSetKernelArg(problem.squareB, 0, sizeof(cl_mem), &problem.buffers[B]), "clSetKernelArg");
  check(clSetKernelArg(problem.squareB, 1, sizeof(cl_mem), &problem.buffers[SQUARE_B]), "clSetKernelArg");
  check(clSetKernelArg(problem.add, 0, sizeof(cl_mem), &problem.buffers[SQUARE_A]), "clSetKernelArg");
  check(clSetKernelArg(problem.add, 1, sizeof(cl_mem), &problem.buffers[SQUARE_B]), "clSetKernelArg");
  check(clSetKernelArg(problem.add, 2, sizeof(cl_mem), &problem.buffers[SUM]), "clSetKernelArg");

  // Once each beforehand, so that the graph's times contain no compilation; the queue does not order commands.
  check(clFinish(problem.queue), "clFinish");
  runKernel(&problem, problem.squareA, 0, NULL, NULL);
  check(clFinish(problem.queue), "clFinish");
  runKernel(&problem, problem.add, 0, NULL, NULL);
  check(clFinish(problem.queue), "clFinish");
  withEvents(&sample, &problem);
  withBarriers(&sample, &problem);
  withFailure(&sample, &problem);

  for (int i = 0; i < BUFFERS; ++i) clReleaseMemObject(problem.buffers[i]);
  clReleaseKernel(problem.squareA);
  clReleaseKernel(problem.squareB);
  clReleaseKernel(problem.add);
  clReleaseProgram(program);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  free(problem.a);
  free(problem.b);
  free(problem.e);
  return sampleEnd(&sample);
}
