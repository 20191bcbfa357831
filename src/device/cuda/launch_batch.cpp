// SPDX-License-Identifier: Apache-2.0
// This file makes graphs of launches that follow each other.
#include "device/cuda/launch_batch.h"

#include "device/cuda/executable.h"

#include <array>
#include <utility>

namespace clarity::device::cuda {

CuResult launchAlone(const CuKernelNode& node, CuStream stream) {
  return driver().launchKernel(node.function, node.grid[0], node.grid[1], node.grid[2], node.block[0], node.block[1],
                               node.block[2], node.sharedBytes, stream, node.parameters, nullptr);
}

CuKernelNode LaunchBatch::Launch::complete() {
  parameters[parameters.size() - 1] = &info;
  node.parameters = parameters.data();
  return node;
}

void LaunchBatch::add(const CuKernelNode& node, std::size_t parameters, const compiler::nvptx::LaunchInfo& info,
                      const Code& code, bool continues) {
  Launch launch{.node = node, .parameters = {}, .info = info, .code = &code, .continues = continues};
  for (std::size_t i = 0; i < parameters; ++i) launch.parameters.push_back(node.parameters[i]);
  launches_.push_back(std::move(launch));  // has room
}

void LaunchBatch::flush(CuStream stream, Fill fill, const std::function<void(std::size_t, CuResult)>& refused) {
  const bool asGraph = fill == Fill::Full && flushAsGraph(stream);
  bool isRefused = false;
  for (std::size_t next = 0; !asGraph && next < launches_.size(); ++next) {
    if (isRefused && launches_[next].continues) continue;
    const CuResult answer = launchAlone(launches_[next].complete(), stream);
    isRefused = answer != 0;
    if (isRefused) refused(next, answer);
  }
  launches_.clear();
}

bool LaunchBatch::flushAsGraph(CuStream stream) {
  std::array<CuKernelNode, most> nodes;
  std::array<const Code*, most> codes{};
  const std::size_t count = launches_.size();
  for (std::size_t i = 0; i < count; ++i) {
    nodes[i] = launches_[i].complete();
    codes[i] = launches_[i].code;
  }
  std::unique_ptr<LaunchGraph>& graph = graphs_[count];
  if (!graph) graph = std::make_unique<LaunchGraph>(count);
  return graph->launch(stream, std::span(nodes).first(count), std::span(codes).first(count));
}

LaunchGraph::~LaunchGraph() {
  if (executable_) (void)driver().graphExecDestroy(executable_);
  if (graph_) (void)driver().graphDestroy(graph_);
}

bool LaunchGraph::make(std::span<const CuKernelNode> launches, std::span<const Code* const> codes) {
  const Driver& cuda = driver();
  if (cuda.graphCreate(&graph_, 0) != 0) return false;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    first_[i] = codes[i]->shared_from_this();
    const CuGraphNode* const before = i ? &nodes_[i - 1] : nullptr;
    if (cuda.graphAddKernelNode(&nodes_[i], graph_, before, i ? 1 : 0, &launches[i]) != 0) return false;
  }
  return cuda.graphInstantiate(&executable_, graph_, 0) == 0;
}

bool LaunchGraph::launch(CuStream stream, std::span<const CuKernelNode> launches, std::span<const Code* const> codes) {
  if (refused_) return false;
  const Driver& cuda = driver();
  const bool isNew = !executable_;
  if (isNew) refused_ = !make(launches, codes);
  for (std::size_t i = 0; i < nodes_.size() && !isNew && !refused_; ++i)
    refused_ = cuda.graphExecKernelNodeSetParams(executable_, nodes_[i], &launches[i]) != 0;
  for (std::size_t i = 0; i < nodes_.size() && !refused_; ++i)
    if (last_[i].get() != codes[i]) last_[i] = codes[i]->shared_from_this();
  return !refused_ && cuda.graphLaunch(executable_, stream) == 0;
}

}  // namespace clarity::device::cuda
