// SPDX-License-Identifier: Apache-2.0
// This file batches launches that follow each other quickly, and issues several of them to the GPU at once.
#pragma once

#include "compiler/nvptx/launch_abi.h"
#include "device/cuda/driver.h"
#include "support/inline_vector.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace clarity::device::cuda {

class Code;

/// Issues one launch. The context is in use (Gpu::use).
CuResult launchAlone(const CuKernelNode&, CuStream);

/// A graph of the driver of launches that follow each other, changed for the launches at hand.
class LaunchGraph {
public:
  explicit LaunchGraph(std::size_t size) : nodes_(size), first_(size), last_(size) {}
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// False if the driver does not take it so: nothing has been issued. `codes` have the launches' functions,
  /// and shared pointers to them. The context is in use (Gpu::use).
  bool launch(CuStream, std::span<const CuKernelNode> launches, std::span<const Code* const> codes);

private:
  bool make(std::span<const CuKernelNode>, std::span<const Code* const>);

  bool refused_ = false;  ///< there will be no graph
  CuGraph graph_ = nullptr;
  CuGraphExec executable_ = nullptr;
  std::vector<CuGraphNode> nodes_;
  /// The code of the first and the last launch of the graph in each node: see TimedLaunch.
  std::vector<std::shared_ptr<const Code>> first_, last_;
};

/// Launches that are to run one after the other, in a stream. Issued one by one, each takes the host 4 us; as a graph
/// of the driver, whose nodes are changed for the launches at hand, each takes 0.5 us, and 2 us where its node had
/// another kernel before (H100).
class LaunchBatch {
public:
  /// Launches of a batch at most.
  static constexpr std::size_t most = 16;
  /// Whether a batch is issued because there is no room for more: others like it will come.
  enum class Fill : bool { Part, Full };

  LaunchBatch() { launches_.reserve(most); }
  LaunchBatch(const LaunchBatch&) = delete;
  LaunchBatch& operator=(const LaunchBatch&) = delete;

  std::size_t size() const { return launches_.size(); }
  /// Keeps a launch. Memory that its parameters point to stays until it is issued, but for the last one, which is
  /// `info`; `code` has the function, and a shared pointer to it. `continues`: it is of the same command as the one
  /// before, and is not issued where that is refused.
  void add(const CuKernelNode&, std::size_t parameters, const compiler::nvptx::LaunchInfo& info, const Code& code,
           bool continues);
  /// Issues all, those of a full batch as a graph. `refused` is called with the index of each that the driver does not
  /// take. The context is in use (Gpu::use).
  void flush(CuStream, Fill, const std::function<void(std::size_t, CuResult)>& refused);

private:
  struct Launch {
    CuKernelNode node;
    support::InlineVector<void*, 16> parameters;
    compiler::nvptx::LaunchInfo info;
    const Code* code;
    bool continues;

    CuKernelNode complete();
  };
  bool flushAsGraph(CuStream);

  std::vector<Launch> launches_;
  std::array<std::unique_ptr<LaunchGraph>, most + 1> graphs_;  ///< by the number of launches
};

}  // namespace clarity::device::cuda
