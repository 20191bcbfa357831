// SPDX-License-Identifier: Apache-2.0
// This file is the discrete device's order of work: threads that start operations in any order that the interface
// allows (device/stream.h), and that start and report them late, at random.
#pragma once

#include "device/host/workers.h"
#include "device/stream.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <unordered_map>
#include <vector>

namespace clarity::discrete {

/// One for the process; never destroyed, because its threads live as long as the process. The seed of its decisions is
/// in the environment (CLARITY_TEST_SEED), or random and printed.
class Engine {
public:
  static Engine& get();

  /// State that the operations of a stream have in common.
  struct StreamState {
    std::shared_ptr<device::host::Workers> workers;
    bool profiled = false;
  };

  void submit(const StreamState* stream, device::Submission&, device::Start,
              std::span<device::Submission* const> after);
  /// Lets what was submitted as WhenNeeded start: of one stream or, with a null pointer, of all.
  void release(const StreamState* stream);

private:
  using Clock = std::chrono::steady_clock;
  struct Node {
    device::Submission* submission;
    StreamState stream;
    const StreamState* streamId;  ///< to compare only: the stream may be gone when the operation has run
    bool held;                    ///< until release()
    unsigned waitsFor = 0;
    std::vector<Node*> dependents;
    Clock::time_point due;
  };

  Engine();
  void startThreads();
  void serve();
  /// An operation that may start now, any of them; null if there is none, and `next` is when one will be due.
  std::unique_ptr<Node> take(Clock::time_point& next);
  void run(std::unique_ptr<Node>, std::unique_lock<std::mutex>&);
  std::chrono::microseconds delay();
  static void atExit();

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<Node>> waiting_;
  std::unordered_map<device::Submission*, Node*> known_;  ///< from submit() until complete() has returned
  unsigned running_ = 0;
  bool exiting_ = false;
  int process_ = 0;  ///< whose threads have been started
};

}  // namespace clarity::discrete
