// SPDX-License-Identifier: Apache-2.0
// This file turns operations into calls of the CUDA driver.
#pragma once

#include "device/cuda/end_signals.h"
#include "device/cuda/executable.h"
#include "device/cuda/launch_batch.h"
#include "device/cuda/staging.h"
#include "device/cuda/timed_launch.h"
#include "device/stream.h"

#include <functional>
#include <memory>

namespace clarity::device::cuda {

/// Work on the host when the GPU has done its part of an operation.
using Afterwards = std::move_only_function<Result()>;

/// Work-groups of one size, a box of the range, that one kernel call of the driver executes.
struct Grid {
  std::array<std::uint64_t, 3> first{};  ///< group id
  std::array<unsigned, 3> count, local;
  bool full;  ///< whether `local` is the launch's work-group size
};

/// The direction of a copy's bytes.
enum class Direction : std::uint8_t { Here, ToGpu, FromGpu };
/// Launches, fills and copies inside the GPU are Here.
Direction directionOf(const Operation&);

/// The issue of an operation to the GPU: how it is to be, and how it was.
struct Issue {
  const TimedBy* times = nullptr;  ///< record when it begins and ends
  bool mayBatch = false;           ///< launches may be added to the batch, until others come
  std::size_t batched = 0;         ///< so many have been: flushBatch() issues them
  bool alone = false;  ///< a launch before which all of the stream has ended, and which may write that it has ended
  const EndSignals* signals = nullptr;  ///< by one of these
  std::uint32_t number = 0;             ///< with this number
  EndSignal end{};                      ///< if it does: that
  bool hasBegun = false;                ///< the driver has taken a kernel of it
};

/// The operations of one stream of the driver.
class Operations {
public:
  Operations(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Staging> staging, std::size_t printfBytes, CuStream stream)
      : gpu_(std::move(gpu)), staging_(std::move(staging)), printfBytes_(printfBytes), stream_(stream) {}

  /// Whether the host has to do something long for it: compile, construct, or copy what the GPU cannot access. `code`
  /// becomes that of a launch, if it has all of it.
  bool isSlowToIssue(const Operation&, LaunchCode& code) const;
  /// A copy beside which an event costs nothing.
  static bool isLongCopy(const Operation&);
  /// Issues it; `code` is from isSlowToIssue(). The batch is empty unless this is a launch that may be added to it. The
  /// context is in use (Gpu::use).
  Result start(Operation&, LaunchCode code, Afterwards&, Issue&);
  /// The launches that it consists of if they can be batched: each is one call of the driver, and nothing is done
  /// before or behind it. Otherwise 0.
  static std::size_t launchesToBatch(const Operation&, const LaunchCode&);
  /// Issues the launches of the batch. `refused` is called with the index of each that the driver does not take.
  void flushBatch(LaunchBatch::Fill fill, const std::function<void(std::size_t, CuResult)>& refused) {
    batch_.flush(stream_, fill, refused);
  }
  /// The error of a launch that the driver does not take.
  static Result refusalOf(const Launch&, CuResult);

private:
  Result launch(Launch&, LaunchCode, Afterwards&, Issue&);
  /// Launches that are one command. The ends of their printf are added to what is done afterwards.
  Result launchAll(Sequence&, Afterwards&, Issue&);
  Result execute(Launch&, LaunchCode, Afterwards&, Issue&);
  /// The same by its counted code; by `code`, which is complete, if there is none or the GPU refuses it. By code that
  /// is complete.
  Result executeCounted(Launch&, const LaunchCode& code, Afterwards&, Issue&);
  Result executeAs(Launch&, const LaunchCode& code, Afterwards&, Issue&);
  Result construct(CudaExecutable&);
  Result start(const Launch&, const Code&, const Grid&, compiler::nvptx::LaunchInfo&, std::uint64_t localBytes, Issue&);
  CuResult startAlone(const CuKernelNode&, const Code&, compiler::nvptx::LaunchInfo&, Issue&);
  /// Has a launch of one block write that it has ended, if its code can.
  void signalEnd(const CuKernelNode&, const Code&, compiler::nvptx::LaunchInfo&, Issue&);
  void record(CuEvent event) const {
    if (event) (void)driver().eventRecord(event, stream_);
  }
  Result copy(const Copy&, Afterwards&);
  CuResult copyInside(const Copy&);  ///< between memory that GPUs access
  Result copyRect(const RectCopy&, Afterwards&);
  Result fill(const Fill&, Afterwards&);
  Result move(const Move&);
  Result call(HostFunction&, Afterwards&);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Staging> staging_;
  std::size_t printfBytes_;
  CuStream stream_;
  TimedLaunch timedLaunch_;
  LaunchBatch batch_;
  LaunchGraph graph_{1};
  const Code* lastAlone_ = nullptr;  ///< the code of the last launch that found the stream empty; it may be gone
  unsigned sameAlone_ = 0;           ///< so many of them, one after the other, had it
  /// The code of the last two launches that wrote that they had ended: their last instruction may come after that. When
  /// the last one has written it, the one before it is surely through.
  std::shared_ptr<const Code> lastSignalling_, signallingBefore_;
};

}  // namespace clarity::device::cuda
