// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of kernels with mistakes: their commands fail, and nothing else changes.
#include "faults.h"

#include "run.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <thread>
#include <vector>

namespace clarity::stress {
namespace {

constexpr std::size_t elements = 100;

constexpr const char* source = R"(
kernel void reads(global int* x, long n) { x[get_global_id(0)] = x[n]; }
kernel void traps(global int* x, long n) { if (n != 0 && get_global_id(0) == 3) __builtin_trap(); x[0] = 1; }
kernel void writes(global int* x, long n) { x[n + get_global_id(0)] = 0x41414141; }
kernel void writesLocal(global int* x, long n) {
  local int t[64];
  t[get_local_id(0) + n] = 0x41414141;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_local_id(0)] = t[get_local_id(0)];
}
kernel void writesPrivate(global int* x, long n) {
  volatile int own[16];
  for (long i = 0; i < n; ++i) own[i] = 0x41414141;
  x[get_global_id(0)] = own[3];
}
)";

/// Memory of the host's in which every byte is known.
class Canaries {
public:
  explicit Canaries(Random& random) {
    for (int i = 0; i < 50; ++i) blocks_.emplace_back(random.between(16, random.chance(10) ? 1 << 20 : 5000), '\x5A');
  }
  void check() const {
    for (const std::vector<char>& block : blocks_)
      if (std::ranges::any_of(block, [](char byte) { return byte != '\x5A'; }))
        throw Failure("a kernel has written to the host's memory");
  }

private:
  std::vector<std::vector<char>> blocks_;
};

}  // namespace

FaultyKernels::FaultyKernels(const Session& session) {
  program_ = session.build(source);
  buffer_ = session.buffer(elements * sizeof(cl_int));
  cl_int code = CL_SUCCESS;
  queue_ = clCreateCommandQueueWithProperties(session.context, session.device, nullptr, &code);
  need("clCreateCommandQueueWithProperties", code);
}

FaultyKernels::~FaultyKernels() {
  clReleaseCommandQueue(queue_);
  clReleaseMemObject(buffer_);
  clReleaseProgram(program_);
}

cl_int FaultyKernels::statusOf(const char* name, Random& random, cl_mem buffer, cl_long number) {
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program_, name, &code);
  need("clCreateKernel", code);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof number, &number);
  const std::size_t group = random.between(1, 64), global = group * random.between(1, 8);
  cl_event event = nullptr;
  code = clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, random.chance(50) ? &group : nullptr, 0, nullptr,
                                &event);
  clReleaseKernel(kernel);
  need("clEnqueueNDRangeKernel", code);
  code = clWaitForEvents(1, &event);
  cl_int status = CL_SUCCESS;
  need("clGetEventInfo", clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  clReleaseEvent(event);
  clFinish(queue_);  // tells of the failure once more
  if ((status < 0) != (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
    throw Failure(std::string(name) + ": clWaitForEvents gave " + std::to_string(code) + " for status " +
                  std::to_string(status));
  if (status != CL_COMPLETE && status != CL_INVALID_OPERATION)
    throw Failure(std::string(name) + " ended with " + std::to_string(status));
  return status;
}

void FaultyKernels::mustFail(Random& random) {
  const char* name = nullptr;
  cl_int status = CL_COMPLETE;
  switch (random.below(3)) {
    case 0: status = statusOf(name = "traps", random, buffer_, 1); break;
    case 1: status = statusOf(name = "reads", random, nullptr, static_cast<cl_long>(random.below(1000))); break;
    default: status = statusOf(name = "reads", random, buffer_, cl_long{1} << random.between(45, 60)); break;
  }
  // The fourth work-item of a smaller range does not exist.
  if (status == CL_COMPLETE && std::string_view(name) != "traps") throw Failure(std::string(name) + " was not noticed");
}

void FaultyKernels::mayFail(Random& random) {
  switch (random.below(3)) {
    case 0:
      (void)statusOf(
          "writes", random, buffer_,
          (random.chance(50) ? 1 : -1) * static_cast<cl_long>(random.below(std::size_t{1} << random.below(50))));
      break;
    case 1:
      (void)statusOf("writesLocal", random, buffer_,
                     static_cast<cl_long>(random.below(std::size_t{1} << random.below(40))));
      break;
    default: (void)statusOf("writesPrivate", random, buffer_, static_cast<cl_long>(random.below(20'000))); break;
  }
}

void faults(Run& run) {
  run.expectGood(run.start([](Random random) {
    const Session session(static_cast<unsigned>(random.below(8)));
    const Canaries canaries(random);
    {
      FaultyKernels kernels(session);
      for (std::size_t i = random.between(5, 40); i > 0; --i) kernels.mayFail(random);
    }
    canaries.check();
    // A fault that writes nothing disturbs no other thread's work.
    FaultyKernels kernels(session);
    std::exception_ptr failure;
    {
      const std::jthread others([&, its = random.split()] {
        try {
          operateOnThreads(its, 3, 60);
        } catch (...) {
          failure = std::current_exception();
        }
      });
      for (std::size_t i = random.between(5, 40); i > 0; --i) kernels.mustFail(random);
    }
    if (failure) std::rethrow_exception(failure);
    canaries.check();
  }));
}

}  // namespace clarity::stress
