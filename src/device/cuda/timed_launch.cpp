// SPDX-License-Identifier: Apache-2.0
// This file keeps the graph of a launch between two events.
#include "device/cuda/timed_launch.h"

#include "device/cuda/executable.h"

#include <utility>

namespace clarity::device::cuda {

TimedLaunch::~TimedLaunch() {
  if (executable_) (void)driver().graphExecDestroy(executable_);
  if (graph_) (void)driver().graphDestroy(graph_);
}

bool TimedLaunch::make(const CuKernelNode& kernel, const TimedBy& events) {
  const Driver& cuda = driver();
  return cuda.graphCreate(&graph_, 0) == 0 &&
         cuda.graphAddEventRecordNode(&begin_, graph_, nullptr, 0, events.begin) == 0 &&
         cuda.graphAddKernelNode(&kernel_, graph_, &begin_, 1, &kernel) == 0 &&
         cuda.graphAddEventRecordNode(&end_, graph_, &kernel_, 1, events.end) == 0 &&
         cuda.graphInstantiate(&executable_, graph_, 0) == 0;
}

bool TimedLaunch::launch(CuStream stream, const CuKernelNode& kernel, const TimedBy& events,
                         std::shared_ptr<const Code> code) {
  if (refused_) return false;
  const Driver& cuda = driver();
  if (!executable_) {
    refused_ = !make(kernel, events);
    first_ = code;
  } else {
    refused_ = cuda.graphExecKernelNodeSetParams(executable_, kernel_, &kernel) != 0 ||
               cuda.graphExecEventRecordNodeSetEvent(executable_, begin_, events.begin) != 0 ||
               cuda.graphExecEventRecordNodeSetEvent(executable_, end_, events.end) != 0;
  }
  // The driver prepares the kernel ahead of the first event; otherwise it would do so between the two.
  if (!refused_) (void)cuda.graphUpload(executable_, stream);
  last_ = std::move(code);
  return !refused_ && cuda.graphLaunch(executable_, stream) == 0;
}

}  // namespace clarity::device::cuda
