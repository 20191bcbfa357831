// SPDX-License-Identifier: Apache-2.0
// This file executes operations on the CPU.
#include "device/cpu/stream.h"

#include "device/cpu/executable.h"
#include "device/cpu/operations.h"
#include "device/cpu/recording.h"
#include "device/host/transfers.h"
#include "support/clock.h"

#include <cassert>
#include <cstring>
#include <utility>
#include <variant>

namespace clarity::device::cpu {
namespace {

void put(std::byte* block, std::size_t offset, const std::byte* address) {
  std::memcpy(block + offset, &address, sizeof address);
}

/// Runs an operation with all that it takes; `started` is called when the operation itself begins.
template <class Started>
struct Runner {
  host::Workers& workers;
  Started started;
  std::uint64_t& ended;  ///< the time when a kernel ended, without what it has enqueued

  Result operator()(Launch& launch) {
    resolveAddresses(launch);
    auto& executable = static_cast<CpuExecutable&>(*launch.executable);
    PreparedLaunch prepared;
    Result result = executable.prepare(launch, prepared);
    started();
    return result ? executable.run(launch, prepared, &ended) : result;
  }
  Result operator()(Sequence& sequence) {
    started();
    const auto nothing = [] {};
    Runner<decltype(nothing)&> each{workers, nothing, ended};
    Result result;
    for (std::size_t i = 0; i < sequence.launches.size() && result; ++i) result = each(sequence.launches[i]);
    return result;
  }
  Result operator()(const Copy& it) {
    started();
    return host::copy(workers, it.to.hostAddress(), it.from.hostAddress(), it.bytes);
  }
  Result operator()(const RectCopy& it) {
    started();
    return host::copyRect(workers, it.to.hostAddress(), it.from.hostAddress(), it);
  }
  Result operator()(const Fill& it) {
    started();
    return host::fill(workers, it.to.hostAddress(), it);
  }
  Result operator()(HostFunction& it) {
    for (const HostFunction::Pointer& pointer : it.pointers)
      put(it.args.data(), pointer.at, pointer.memory.hostAddress());
    started();
    it.function(it.hasArgs ? it.args.data() : nullptr);
    return {};
  }
  Result operator()(const Move&) {
    started();
    return {};
  }
  Result operator()(const Replay& it) {
    started();
    return static_cast<const CpuRecording&>(*it.recording).run(workers);
  }
};

}  // namespace

void CpuStream::submit(Submission& submission, Start start, std::span<Submission* const> after) {
  assert(after.empty());  // Properties::ordersOperations is false
  ServiceThreads::get().push(ready_, submission, isHeavy(*submission.operation), start);
}

void CpuStream::run(Submission& submission) {
  Times times;
  const bool profiled = profiled_;
  const auto started = [&] {
    if (profiled) times.started = support::hostTime();
    submission.started();
  };
  Result result = guarded([&] {
    return std::visit(Runner<const decltype(started)&>{*workers_, started, times.ended}, *submission.operation);
  });
  if (profiled) (times.ended ? times.completed : times.ended) = support::hostTime();
  submission.complete(std::move(result), times);
}

}  // namespace clarity::device::cpu
