// SPDX-License-Identifier: Apache-2.0
// This file prepares and runs recordings.
#include "device/cpu/recording.h"

#include "device/cpu/launch_run.h"
#include "device/cpu/operations.h"
#include "device/host/transfers.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <exception>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// So many operations take longer than waking a thread, however small they are.
constexpr std::size_t heavySteps = 256;

}  // namespace

CpuRecording::CpuRecording(std::span<const Operation* const> operations) : heavy_(operations.size() >= heavySteps) {
  steps_.reserve(operations.size());
  for (const Operation* const operation : operations)
    if (const auto* const sequence = std::get_if<Sequence>(operation))
      for (const Launch& launch : sequence->launches) add(launch);
    else
      add(*operation);
}

void CpuRecording::add(const Operation& operation) {
  Step& step = steps_.emplace_back(operation);
  prepare(step);
  heavy_ = heavy_ || cpu::isHeavy(step.operation);
}

void CpuRecording::prepare(Step& step) {
  auto* const launch = std::get_if<Launch>(&step.operation);
  if (!launch) return;
  resolveAddresses(*launch);
  try {
    auto& executable = static_cast<CpuExecutable&>(*launch->executable);
    step.isPrepared = bool{executable.prepare(*launch, step.prepared, Runs::Often)};
  } catch (const std::exception&) {
    // It is prepared when it runs, which reports the error if there is one again.
  }
}

Result CpuRecording::run(const Step& step, host::Workers& workers) const {
  if (const auto* const launch = std::get_if<Launch>(&step.operation)) {
    auto& executable = static_cast<CpuExecutable&>(*launch->executable);
    if (step.isPrepared) [[likely]]
      return executable.run(*launch, step.prepared);
    PreparedLaunch prepared;
    Result result = executable.prepare(*launch, prepared, Runs::Often);
    return result ? executable.run(*launch, prepared) : result;
  }
  if (const auto* const it = std::get_if<Copy>(&step.operation))
    return host::copy(workers, it->to.hostAddress(), it->from.hostAddress(), it->bytes);
  if (const auto* const it = std::get_if<RectCopy>(&step.operation))
    return host::copyRect(workers, it->to.hostAddress(), it->from.hostAddress(), *it);
  if (const auto* const it = std::get_if<Fill>(&step.operation)) return host::fill(workers, it->to.hostAddress(), *it);
  return {CL_INVALID_OPERATION, "functions of the host cannot be recorded"};
}

Result CpuRecording::run(host::Workers& workers) const {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (LaunchRun::allEnd()) return {CL_OUT_OF_RESOURCES, "the command-buffer was ended with the process"};
    if (Result result = run(steps_[i], workers); !result) [[unlikely]]
      return {result.code, fmt::format("operation {} of {}: {}", i + 1, steps_.size(), result.text)};
  }
  return {};
}

}  // namespace clarity::device::cpu
