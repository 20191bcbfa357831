// SPDX-License-Identifier: Apache-2.0
// This file makes graphs of launches that follow each other.
#include "device/cuda/launch_chain.h"

#include "device/cuda/executable.h"

namespace clarity::device::cuda {

CuResult launchAlone(const CuKernelNode& node, CuStream stream) {
  return driver().launchKernel(node.function, node.grid[0], node.grid[1], node.grid[2], node.block[0], node.block[1],
                               node.block[2], node.sharedBytes, stream, node.parameters, nullptr);
}

CuKernelNode LaunchChain::Launch::complete() {
  parameters[parameters.size() - 1] = &info;
  node.parameters = parameters.data();
  return node;
}

void LaunchChain::add(const CuKernelNode& node, std::size_t parameters, const compiler::nvptx::LaunchInfo& info,
                      const Code& code) {
  Launch& launch = launches_.emplace_back();
  launch.node = node;
  for (std::size_t i = 0; i < parameters; ++i) launch.parameters.push_back(node.parameters[i]);
  launch.info = info;
  launch.code = &code;
}

void LaunchChain::give(CuStream stream, const std::function<void(std::size_t, CuResult)>& refused) {
  const bool asGraph = launches_.size() == most && graph_.launch(stream, launches_.data());
  for (std::size_t next = 0; !asGraph && next < launches_.size(); ++next) {
    const CuResult answer = launchAlone(launches_[next].complete(), stream);
    if (answer != 0) refused(next, answer);
  }
  launches_.clear();
}

LaunchChain::Graph::~Graph() {
  if (executable_) (void)driver().graphExecDestroy(executable_);
  if (graph_) (void)driver().graphDestroy(graph_);
}

bool LaunchChain::Graph::make(Launch* first) {
  const Driver& cuda = driver();
  if (cuda.graphCreate(&graph_, 0) != 0) return false;
  for (std::size_t i = 0; i < most; ++i) {
    const CuKernelNode node = first[i].complete();
    first_[i] = first[i].code->shared_from_this();
    if (cuda.graphAddKernelNode(&nodes_[i], graph_, i ? &nodes_[i - 1] : nullptr, i ? 1 : 0, &node) != 0) return false;
  }
  return cuda.graphInstantiate(&executable_, graph_, 0) == 0;
}

bool LaunchChain::Graph::launch(CuStream stream, Launch* first) {
  if (refused_) return false;
  const Driver& cuda = driver();
  if (!executable_) {
    refused_ = !make(first);
  } else {
    for (std::size_t i = 0; i < most && !refused_; ++i) {
      const CuKernelNode node = first[i].complete();
      refused_ = cuda.graphExecKernelNodeSetParams(executable_, nodes_[i], &node) != 0;
    }
  }
  for (std::size_t i = 0; i < most && !refused_; ++i)
    if (last_[i].get() != first[i].code) last_[i] = first[i].code->shared_from_this();
  return !refused_ && cuda.graphLaunch(executable_, stream) == 0;
}

}  // namespace clarity::device::cuda
