// SPDX-License-Identifier: Apache-2.0
// This file is one launch while it runs: the calling thread starts alone, measures, and calls in the other workers
// when there is enough left to do.
#pragma once

#include "device/cpu/executable.h"
#include "device/cpu/full_code.h"
#include "device/cpu/index_space.h"
#include "device/cpu/shares.h"
#include "device/host/printf.h"
#include "device/host/workers.h"
#include "device/observer.h"
#include "support/fault_guard.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clarity::device::cpu {

/// Code for Instrumentation::CheckAccesses and groups of any size; null if it could not be made.
using CheckedCode = std::function<Result(const compiler::NativeKernel*&)>;

class LaunchRun {
public:
  /// `variables` and `source` are the program's. `nsPerItem` is what is known of the kernel's cost; it is brought up to
  /// date. `checkedCode`: for Instrumentation::Bounds; null otherwise. `full`: the code is quick code, and this is how
  /// there may be full code for what is left; null otherwise.
  LaunchRun(const Launch&, const KernelCode::Choice&, const Reductions&, host::Workers&,
            const VariableStorage& variables, const SourceText& source, std::size_t printfBytes,
            std::atomic<float>& nsPerItem, const CheckedCode* checkedCode = nullptr, const FullCode* full = nullptr);
  LaunchRun(const LaunchRun&) = delete;

  /// Executes every work-item once, or ends early with a fault.
  Result run();

  /// While `end` is true, all launches of the process end early.
  static void endAll(bool end) noexcept;
  static bool allEnd() noexcept;

private:
  using Clock = std::chrono::steady_clock;

  /// Code and what a thread needs to run it.
  struct Execution {
    KernelCode::Choice code;
    std::uint64_t groups = 1;  ///< work-groups that code for full ones runs together
    std::uint64_t spillBytes = 0, frameBytes = 0;
    bool isObserved = false;
  };
  /// Fills in what is as it was made: a copy would wait for the members that were just written.
  void setUp(Execution&, const KernelCode::Choice&) const;
  /// Adds what the code needs of a thread.
  void require(Execution&, const compiler::NativeKernel&) const;
  /// Whether the grains that `first_` can execute, `next` can as well.
  bool canTakeOver(const Execution& next) const;
  /// The code and memory that the next slices are executed with: full code from when it is there.
  const Execution& execution();
  /// Has full code compiled if so many grains are left that it pays; `elapsed`: since the first one began.
  void considerFullCode(double elapsed, double nsPerGrain, std::uint64_t grainsLeft);

  /// Calls with the argument block for this thread, in which reductions are private; they are in the buffers when it
  /// returns. False when there is no memory or the buffers cannot be written.
  template <class Work>
  bool withArgs(const Work& work);
  /// Executes a run of grains on this thread; false when the launch has to end.
  bool execute(std::uint64_t begin, std::uint64_t end, const std::byte* args);
  void runAll();
  /// Alone; false when what is left is worth other threads.
  bool runAlone(const std::byte* args);
  /// All workers take runs of grains until none is left.
  void runTogether();
  void runShares(Shares&, Shares::Seat&, const std::byte* args);
  /// Work-groups that may wait for each other: as many at a time as there are compute units, each on a thread of its
  /// own, which are no workers: those may be busy with another launch that waits. They begin in their order.
  void runApart();
  void takeGroups(const std::byte* args);
  /// Tells the profile, if there is one, what this thread has executed since `begin`.
  void report(std::uint64_t since, std::uint64_t begin, std::uint64_t end) const;
  /// The grains that a thread takes at once of those that are left of a run; `fair`: of which it is a fair part.
  std::uint64_t sizeOfShare(std::uint64_t left, std::uint64_t fair) const;
  /// Work-groups that the code runs together.
  std::uint64_t bundle() const { return now_.load(std::memory_order_acquire)->groups; }
  /// Fewer, if some would be left over that run apart from the rest.
  std::uint64_t wholeBundles(std::uint64_t groups) const;
  void learn(double nsPerGrain);
  /// Whether so many grains are to be shared with other threads.
  bool isWorthOthers(std::uint64_t grains) const;
  /// True, and the launch has failed, when the process exits or the launch is to be ended.
  bool endedFromOutside();
  bool endedWithContext();

  /// The memory of this thread's work-groups, and its stack. False after failed(): there is not enough.
  bool reserveMemory(const Execution&, compiler::WorkerMemory&);
  enum class Ending { Returned, Left, Failed };  ///< Left: Instrumentation::Bounds
  /// Calls `boxes(call)`, which hands boxes to `call(isExact, slice)`. `current`: the slice that is executed.
  template <class Boxes>
  Ending guarded(const Execution&, const std::byte* args, compiler::Slice& current, const Boxes& boxes);
  template <class Boxes>
  bool takeTurns(const compiler::NativeKernel&, std::uint64_t frameBytes, const std::byte* args,
                 const compiler::WorkerMemory&, const std::vector<ObservedMemory>& arguments, compiler::Slice& current,
                 const Boxes& boxes, support::Fault&);
  /// Executes a slice that was left again, from its beginning, by code that reports the accesses for which it was left.
  /// Stores that it made before stay: only a launch with such an access leaves slices, and its results are undefined in
  /// OpenCL (docs/check.md, "Bounds alone").
  bool executeChecked(const compiler::Slice&, const std::byte* args);
  /// Makes that code when it is first needed.
  Result makeChecked();

  void failed(Result);

  const Launch& launch_;
  const Reductions& reductions_;
  host::Workers& workers_;
  const VariableStorage& variables_;
  const SourceText& source_;
  std::atomic<float>& nsPerItem_;
  const bool groupAgnostic_;
  const IndexSpace space_;
  std::uint64_t localBytes_ = 0;
  bool alone_ = false;  ///< on the calling thread: with one worker, or where the order of work-groups is defined
  std::vector<ObservedMemory> buffers_;       ///< buffers of observed launches
  std::unique_ptr<LaunchObserver> observer_;  ///< null unless the code is instrumented; for Bounds, until it is needed
  std::optional<host::PrintfSink> sink_;
  compiler::LaunchInfo info_;

  const CheckedCode* const checkedCode_;
  const FullCode* const fullCode_;
  enum class Wanted : std::uint8_t { NotYet, Yes, No };
  std::atomic<Wanted> fullIsWanted_;
  Execution first_;
  std::optional<Execution> full_, checked_;  ///< none until they are needed
  std::atomic<const Execution*> now_{&first_};

  double nsPerGrain_ = 0;
  std::uint64_t smallestShare_ = 1, largestShare_ = 1;
  std::uint64_t doneAlone_ = 0;                     ///< grains that were executed before there were several threads
  alignas(64) std::atomic<std::uint64_t> next_{0};  ///< runApart(): the first work-group that no thread has taken
  alignas(64) std::atomic<bool> ended_{false};      ///< after a failure
  std::mutex checking_;                             ///< guards checked_ and observer_ while they are made
  std::mutex mutex_;                                ///< guards result_, and full_ until it is now_
  Result result_;
};

}  // namespace clarity::device::cpu
