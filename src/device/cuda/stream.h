// SPDX-License-Identifier: Apache-2.0
// This file gives operations to a GPU.
#pragma once

#include "device/cuda/completions.h"
#include "device/cuda/executable.h"
#include "device/stream.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace clarity::device::cuda {

/// Work-groups of one size, a box of the range, that one kernel call of the driver executes.
struct Grid {
  std::array<std::uint64_t, 3> first{};  ///< group id
  std::array<unsigned, 3> count, local;
  bool full;  ///< of the launch's work-group size
};

class CudaStream final : public Stream {
public:
  CudaStream(std::shared_ptr<const Gpu>, std::shared_ptr<Completions>, std::size_t printfBytes, const StreamOptions&);
  ~CudaStream() override;

  void submit(Submission&, Start, std::span<Submission* const> after) override;
  void flush() override {}
  void help(const Submission& awaited) override;

private:
  /// A submission that the host has to do something long for first: compile, or copy pageable memory.
  struct Fed {
    Submission* submission = nullptr;
    Completions::TicketRef ticket;
    Completions::Tickets after;
  };

  bool mayTakeLong(const Submission&) const;
  void give(Fed);
  Result start(Operation&, Completions::Pending&);
  Result launch(Launch&, Completions::Pending&);
  Result construct(CudaExecutable&);
  Result execute(Launch&, Completions::Pending&);
  Result start(const Launch&, const Code&, const Grid&, const compiler::nvptx::LaunchInfo&, std::uint64_t localBytes);
  Result copy(const Copy&, Completions::Pending&);
  Result copyRect(const RectCopy&);
  Result fill(const Fill&);
  Result fillRow(const Fill&);  ///< of one row
  void feed(const std::stop_token&);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Completions> completions_;
  std::size_t printfBytes_;
  StreamOptions options_;
  CuStream stream_ = nullptr;
  std::mutex mutex_;  ///< keeps the order of what is given to the GPU
  std::condition_variable_any fedChanged_;
  std::deque<Fed> fed_;
  bool feeding_ = false;
  std::jthread feeder_;
};

}  // namespace clarity::device::cuda
