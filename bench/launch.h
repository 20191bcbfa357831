// SPDX-License-Identifier: Apache-2.0
// This file declares the launch of one problem's kernel, in one or several forms.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "problem.h"

namespace bench {

// The time of all processors in this process so far.
double processorMilliseconds();
// The contents of a buffer before a launch; all bits of outputs are set: a NaN, or -1.
void prepare(const Argument& argument, void* data);
// Throws std::runtime_error, which says `whose` result differs, unless `result` is the reference within its tolerance.
void compare(const Argument& argument, std::size_t index, const Storage& result, const char* whose);

// The buffers of one Problem, and the kernel in one or several forms.
class Launch {
public:
  // Milliseconds of one launch: on the device by its event, from the call to the end, and of all processors in this
  // process.
  struct Times {
    double device, whole, processor;
  };

  Launch(cl_context context, cl_command_queue queue, const Problem& problem);

  // Returns the kernel's number.
  std::size_t add(cl_program program, const std::string& name);
  // Releases all kernels.
  void clear() { kernels_.clear(); }
  Times run(std::size_t kernel);
  void compareResults(const char* whose);
  // Takes the results of the last launch as the problem's reference.
  void takeReference(Problem& problem);

private:
  struct Release {
    void operator()(cl_kernel kernel) const { clReleaseKernel(kernel); }
    void operator()(cl_mem buffer) const { clReleaseMemObject(buffer); }
    void operator()(cl_event event) const { clReleaseEvent(event); }
    void operator()(cl_sampler sampler) const { clReleaseSampler(sampler); }
  };

  void addBuffer(cl_context context, const Argument& argument);
  void fill(const Argument& argument, cl_mem buffer);
  Storage read(std::size_t index);

  cl_command_queue queue_;
  const Problem& problem_;
  std::vector<std::unique_ptr<_cl_kernel, Release>> kernels_;
  std::vector<std::unique_ptr<_cl_mem, Release>> buffers_;  // one for each argument, null if it is none
  std::vector<std::unique_ptr<_cl_sampler, Release>> samplers_;
};

}  // namespace bench
