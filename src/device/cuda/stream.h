// SPDX-License-Identifier: Apache-2.0
// This file gives operations to a GPU and reports when they have ended.
#pragma once

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

/// What the streams of one GPU share: which operations are under way, and the thread that reports their ends.
class Completions {
public:
  explicit Completions(std::shared_ptr<const Gpu> gpu);
  ~Completions();

  /// An operation on its way through the GPU.
  struct Pending {
    Submission* submission = nullptr;
    CuEvent begin = nullptr, end = nullptr;  ///< `begin` only where times are wanted
    std::uint64_t submitted = 0;             ///< nanoseconds of the host's clock
    Result failure{};                        ///< what went wrong before the GPU had it
    std::vector<std::byte> kept{};           ///< memory that it needs until it has ended
    std::function<Result()> afterwards{};    ///< on the host, when the GPU has done its part
  };

  /// Adds one whose `end` has been recorded; in the order of the stream.
  void add(CuStream stream, Pending pending);
  /// The event that ends a submission, nullptr if it is not under way any more.
  CuEvent endOf(const Submission*) const;
  /// Waits on this thread until a submission has ended; reports all that end meanwhile.
  void waitFor(const Submission&);

  CuEvent event(bool timed);

private:
  void serve(const std::stop_token&);
  /// Takes the oldest of a stream whose event has come; false if there is none.
  bool takeEnded(Pending& pending);
  void report(Pending pending);

  std::shared_ptr<const Gpu> gpu_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::unordered_map<CuStream, std::deque<Pending>> underWay_;
  std::unordered_map<const Submission*, CuEvent> ends_;
  std::vector<CuEvent> idleEvents_[2];
  std::size_t count_ = 0;
  std::jthread thread_;
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
    Submission* submission;
    std::vector<CuEvent> after;
  };

  bool mayTakeLong(const Submission&) const;
  void give(Submission&, std::span<const CuEvent> after);
  Result start(Operation&, Completions::Pending&);
  Result launch(Launch&, Completions::Pending&);
  Result copy(const Copy&, Completions::Pending&);
  Result copyRect(const RectCopy&);
  Result fill(const Fill&);
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
