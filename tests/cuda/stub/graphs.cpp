// SPDX-License-Identifier: Apache-2.0
// This file is the stub's graphs: a row of kernels and records of events, each behind the one before it.
#include "stub.h"

#include <utility>

namespace clarity::device::cuda {

struct CuGraphNodeTag {
  CuEvent event = nullptr;  ///< null: a kernel
  CuKernelNode kernel;
  std::vector<std::vector<unsigned char>> parameters;

  void take(const CuKernelNode& given) {
    kernel = given;
    parameters.clear();
    for (std::size_t i = 0; i < given.function->parameterBytes.size(); ++i) {
      const auto* const first = static_cast<const unsigned char*>(given.parameters[i]);
      parameters.emplace_back(first, first + given.function->parameterBytes[i]);
    }
  }
};

struct CuGraphTag {
  std::vector<std::shared_ptr<CuGraphNodeTag>> nodes;
};

struct CuGraphExecTag {
  std::vector<std::shared_ptr<CuGraphNodeTag>> nodes;
};

namespace {

CuResult add(CuGraphNode* node, CuGraph graph, const CuGraphNode* after, std::size_t count, CuGraphNodeTag made) {
  const CuGraphNode last = graph->nodes.empty() ? nullptr : graph->nodes.back().get();
  if (count != (last ? 1 : 0) || (last && *after != last)) return cuInvalidValue;  // rows only
  graph->nodes.push_back(std::make_shared<CuGraphNodeTag>(std::move(made)));
  *node = graph->nodes.back().get();
  return 0;
}

}  // namespace

CuResult graphCreate(CuGraph* graph, unsigned) {
  if (const CuResult failure = Stub::get().enter("cuGraphCreate")) return failure;
  *graph = new CuGraphTag;
  return 0;
}

CuResult graphDestroy(CuGraph graph) {
  delete graph;
  return 0;
}

CuResult graphAddEventRecordNode(CuGraphNode* node, CuGraph graph, const CuGraphNode* after, std::size_t count,
                                 CuEvent event) {
  if (const CuResult failure = Stub::get().enter("cuGraphAddEventRecordNode")) return failure;
  CuGraphNodeTag made;
  made.event = event;
  return add(node, graph, after, count, std::move(made));
}

CuResult graphAddKernelNode(CuGraphNode* node, CuGraph graph, const CuGraphNode* after, std::size_t count,
                            const CuKernelNode* kernel) {
  if (const CuResult failure = Stub::get().enter("cuGraphAddKernelNode_v2")) return failure;
  CuGraphNodeTag made;
  made.take(*kernel);
  return add(node, graph, after, count, std::move(made));
}

CuResult graphInstantiate(CuGraphExec* executable, CuGraph graph, unsigned long long) {
  if (const CuResult failure = Stub::get().enter("cuGraphInstantiateWithFlags")) return failure;
  *executable = new CuGraphExecTag{graph->nodes};
  return 0;
}

CuResult graphExecKernelNodeSetParams(CuGraphExec, CuGraphNode node, const CuKernelNode* kernel) {
  if (const CuResult failure = Stub::get().enter("cuGraphExecKernelNodeSetParams_v2")) return failure;
  // The real one compares addresses of functions, and may take the new one for one that is not there any more.
  if (!*node->kernel.function->loaded) Stub::get().fault(illegalAddress);
  node->take(*kernel);
  return 0;
}

CuResult graphExecEventRecordNodeSetEvent(CuGraphExec, CuGraphNode node, CuEvent event) {
  if (const CuResult failure = Stub::get().enter("cuGraphExecEventRecordNodeSetEvent")) return failure;
  node->event = event;
  return 0;
}

CuResult graphUpload(CuGraphExec, CuStream) { return Stub::get().enter("cuGraphUpload"); }

CuResult graphLaunch(CuGraphExec executable, CuStream stream) {
  if (const CuResult failure = Stub::get().enter("cuGraphLaunch")) return failure;
  for (const auto& node : executable->nodes) {
    if (node->event) {
      if (const CuResult failure = eventRecord(node->event, stream)) return failure;
      continue;
    }
    std::vector<void*> parameters;
    for (auto& each : node->parameters) parameters.push_back(each.data());
    CuKernelNode kernel = node->kernel;
    kernel.parameters = parameters.data();
    if (const CuResult failure = launch(kernel, stream)) return failure;
  }
  return 0;
}

CuResult graphExecDestroy(CuGraphExec executable) {
  delete executable;
  return 0;
}

}  // namespace clarity::device::cuda
