// SPDX-License-Identifier: Apache-2.0
// This file opens the memory of operations and runs them.
#include "operations.h"

#include "device/cpu/executable.h"
#include "device/host/transfers.h"
#include "faults.h"
#include "pool.h"
#include "support/clock.h"

#include <CL/cl.h>

#include <cstring>
#include <exception>
#include <utility>
#include <variant>
#include <vector>

namespace clarity::discrete {
namespace {

using device::Result;
namespace cpu = device::cpu;
namespace host = device::host;

void count(const Opened& to, const Opened& from, std::size_t bytes) {
  if (to.isOfDevice() && !from.isOfDevice()) Faults::get().bytesFromHost += bytes;
  if (from.isOfDevice() && !to.isOfDevice()) Faults::get().bytesToHost += bytes;
}

template <class Started>
struct Runner {
  host::Workers& workers;
  const Started& started;
  std::uint64_t& ended;  ///< the end of a kernel, before what it has enqueued

  Result operator()(device::Launch& launch) const {
    std::vector<Opened> opened;
    opened.reserve(launch.buffers.size());
    for (const device::BufferArgument& buffer : launch.buffers) {
      opened.emplace_back(buffer.memory);
      const std::byte* const address = opened.back().address();
      std::memcpy(launch.args.data() + launch.info->args[buffer.argument].offset, &address, sizeof address);
    }
    auto& executable = static_cast<cpu::CpuExecutable&>(*launch.executable);
    cpu::PreparedLaunch prepared;
    Result result = executable.prepare(launch, prepared);
    started();
    return result ? executable.run(launch, prepared, &ended) : result;
  }
  Result operator()(device::Sequence& sequence) const {
    started();
    const auto nothing = [] {};
    const Runner<decltype(nothing)> each{workers, nothing, ended};
    Result result;
    for (std::size_t i = 0; i < sequence.launches.size() && result; ++i) result = each(sequence.launches[i]);
    return result;
  }
  Result operator()(const device::Copy& it) const {
    const Opened to(it.to), from(it.from);
    started();
    count(to, from, it.bytes);
    return host::copy(workers, to.address(), from.address(), it.bytes);
  }
  Result operator()(const device::RectCopy& it) const {
    const Opened to(it.to), from(it.from);
    started();
    count(to, from, it.region[0] * it.region[1] * it.region[2]);
    return host::copyRect(workers, to.address(), from.address(), it);
  }
  Result operator()(const device::Fill& it) const {
    const Opened to(it.to);
    started();
    return host::fill(workers, to.address(), it);
  }
  Result operator()(const device::HostFunction&) const {
    started();
    return {CL_INVALID_OPERATION, "the discrete test device runs no functions of the host"};
  }
  Result operator()(const device::Move&) const {
    started();
    return {CL_INVALID_OPERATION, "the discrete test device shares no memory by address"};
  }
  Result operator()(const device::Replay&) const {
    started();
    return {CL_INVALID_OPERATION, "the discrete test device makes no recordings"};
  }
};

/// An operation that fails has begun to write.
Result fail(const device::Operation& operation) {
  if (const auto* const copy = std::get_if<device::Copy>(&operation)) {
    const Opened to(copy->to);
    std::memset(to.address(), 0xDD, copy->bytes);
  }
  return {CL_OUT_OF_RESOURCES, "an error that a test injected"};
}

}  // namespace

Result runOperation(device::Submission& submission, host::Workers& workers, bool profiled,
                    device::Times& times) noexcept {
  const auto started = [&] {
    if (profiled) times.started = support::hostTime();
    submission.started();
  };
  Result result;
  try {
    ++Faults::get().operations;
    device::Operation& operation = *submission.operation;
    if (Faults::isDue(Faults::get().operation)) {
      started();
      result = fail(operation);
    } else {
      result = std::visit(Runner<decltype(started)>{workers, started, times.ended}, operation);
    }
  } catch (const std::exception& error) {
    result = {CL_OUT_OF_HOST_MEMORY, error.what()};
  }
  if (profiled) (times.ended ? times.completed : times.ended) = support::hostTime();
  return result;
}

}  // namespace clarity::discrete
