// SPDX-License-Identifier: Apache-2.0
// This file is a stream of the CPU device: operations that wait for a thread, and how one is executed.
#pragma once

#include "device/cpu/service_threads.h"
#include "device/host/workers.h"
#include "device/stream.h"

#include <memory>

namespace clarity::device::cpu {

/// Runs operations on the threads that ServiceThreads chooses. Resolves addresses when it runs them: all memory that an
/// operation names is memory that the host accesses.
class CpuStream final : public Stream {
public:
  CpuStream(std::shared_ptr<host::Workers> workers, const StreamOptions& options)
      : workers_(std::move(workers)), profiled_(options.profiled), ready_(*this) {}

  void submit(Submission&, Start, std::span<Submission* const> after) override;
  void flush() override { ServiceThreads::get().wake(); }
  void help(const Submission& awaited) override { ServiceThreads::get().help(ready_, awaited); }

  /// Executes an operation on this thread and reports its end. May destroy the stream.
  void run(Submission&);

private:
  std::shared_ptr<host::Workers> workers_;
  bool profiled_;
  ReadyList ready_;
};

}  // namespace clarity::device::cpu
