// SPDX-License-Identifier: Apache-2.0
// This file calls the code of a launch for its slices, with memory and a stack, and ends it when it faults.
#include "device/cpu/argument_memory.h"
#include "device/cpu/fault_place.h"
#include "device/cpu/fault_report.h"
#include "device/cpu/kernel_stack.h"
#include "device/cpu/launch_run.h"
#include "device/cpu/observation.h"
#include "device/cpu/running_launches.h"
#include "device/cpu/sub_groups.h"
#include "device/cpu/turns.h"
#include "device/cpu/worker_memory.h"

#include <CL/cl.h>
#include <fmt/format.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <csignal>
#include <span>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Kernels compute with round-to-nearest, denormals and no traps (OpenCL C 3.0, section 7), whatever the
/// application's thread has set.
class FloatingPointMode {
public:
#if defined(__x86_64__)
  FloatingPointMode() : before_(_mm_getcsr()) {
    if (before_ != standard) _mm_setcsr(standard);
  }
  ~FloatingPointMode() {
    if (before_ != standard) _mm_setcsr(before_);
  }

private:
  static constexpr unsigned standard = 0x1f80;
  unsigned before_;
#else
  FloatingPointMode() {}
#endif
};

}  // namespace

bool LaunchRun::execute(std::uint64_t begin, std::uint64_t end, const std::byte* args) {
  const Execution& with = execution();
  for (std::uint64_t done = 0;; ++done) {  // slices
    compiler::Slice current{};
    const Ending ending = guarded(with, args, current, [&](const auto& call) {
      std::uint64_t at = 0;
      space_.forEachBox(begin, end, [&](const Part& part, const compiler::Slice& slice) {
        if (at++ < done) return;
        call(part.exact, slice);
        ++done;
      });
    });
    if (ending == Ending::Returned) return true;
    if (ending == Ending::Failed || !executeChecked(current, args)) return false;
  }
}

bool LaunchRun::reserveMemory(const Execution& execution, compiler::WorkerMemory& memory) {
  memory = workerMemory(localBytes_, execution.groups, execution.spillBytes);
  if (!memory.local) {
    failed(
        {CL_OUT_OF_RESOURCES,
         fmt::format("kernel '{}': no memory for the work-items of a work-group ({} bytes of local and {} of private "
                     "memory)",
                     launch_.info->name, localBytes_, execution.spillBytes)});
    return false;
  }
  if (!KernelStack::mine().reserve(execution.frameBytes)) {
    failed({CL_OUT_OF_RESOURCES, fmt::format("kernel '{}': no memory for a stack with {} bytes of private variables",
                                             launch_.info->name, execution.frameBytes)});
    return false;
  }
  return true;
}

/// Debugged code executes one work-item at a call, on threads that guard themselves.
template <class Boxes>
bool LaunchRun::takeTurns(const compiler::NativeKernel& code, std::uint64_t frameBytes, const std::byte* args,
                          const compiler::WorkerMemory& memory, const std::vector<ObservedMemory>& arguments,
                          compiler::Slice& current, const Boxes& boxes, support::Fault& fault) {
  const TurnsLaunch launch{.entry = code.entry,
                           .kernel = launch_.info->name.c_str(),
                           .args = args,
                           .info = info_,
                           .memory = memory,
                           .frameBytes = frameBytes,
                           .buffers = arguments};
  bool completed = true;
  boxes([&](bool, const compiler::Slice& slice) {
    current = slice;
    completed = completed && runInTurns(launch, slice, fault, [this] { return endedFromOutside(); });
  });
  return completed;
}

template <class Boxes>
LaunchRun::Ending LaunchRun::guarded(const Execution& execution, const std::byte* args, compiler::Slice& current,
                                     const Boxes& boxes) {
  compiler::WorkerMemory memory;
  if (!reserveMemory(execution, memory)) return Ending::Failed;
  KernelStack& stack = KernelStack::mine();
  const FloatingPointMode mode;
  // Observers hold locks: their launches end between work-groups only.
  LaunchObserver* const observer = execution.isObserved ? observer_.get() : nullptr;
  const std::atomic<bool>* const ended = observer ? nullptr : launch_.ended;
  const RunningLaunch running(ended);
  if (endedWithContext()) return Ending::Failed;
  // The observer is the process's: without one, no launch that this thread is in is observed. Other code than
  // instrumented code has no events.
  std::vector<ObservedMemory> arguments;
  std::optional<Observing> observing;
  if (launch_.observer && execution.code.instrumentation != compiler::Instrumentation::None) [[unlikely]] {
    arguments = memoryByArgument(launch_, args, buffers_, memory.local);
    observing.emplace(observer, &arguments, std::span(memory.local, launch_.localBytes),
                      observer ? launch_.observer->mostSeconds() : 0,
                      compiler::looksAtCells(execution.code.instrumentation));
  }
  const compiler::NativeKernel* code = execution.code.exact ? execution.code.exact : execution.code.any;
  support::Fault fault;
  const bool inTurns = execution.code.instrumentation == compiler::Instrumentation::Debug;
  std::optional<support::FaultGuard::Endable> endable;
  if (ended) endable.emplace(ended);
  const bool returned =
      inTurns ? takeTurns(*code, execution.frameBytes, args, memory, arguments, current, boxes, fault)
              : support::FaultGuard::run(
                    [&] {
                      boxes([&](bool isExact, const compiler::Slice& slice) {
                        current = slice;  // where a fault was
                        code = isExact && execution.code.exact ? execution.code.exact : execution.code.any;
                        stack.call(code->entry, args, &info_, &current, &memory);
                      });
                    },
                    fault);
  if (returned) return Ending::Returned;
  SubGroups::mine().abandon();
  if (fault.signal == 0 && fault.text.empty() && endedWithContext()) return Ending::Failed;
  // Accesses that nothing is expected of end as far outside as the processor sees.
  if (execution.code.instrumentation == compiler::Instrumentation::Bounds &&
      (wasSliceLeft() || fault.signal == SIGSEGV))
    return Ending::Left;
  std::string text = reportFault(fault, {.launch = launch_,
                                         .args = args,
                                         .variables = variables_,
                                         .localArrays = code->localArrays,
                                         .memory = memory,
                                         .spillBytes = execution.spillBytes,
                                         .slice = current,
                                         .ofItems = groupAgnostic_});
  if (observer && fault.signal != 0) reportTo(*observer, text, execution.code, fault, source_);
  failed({faultCode, text + describePlace(execution.code, fault, source_)});
  return Ending::Failed;
}

bool LaunchRun::executeChecked(const compiler::Slice& slice, const std::byte* args) {
  if (Result made = makeChecked(); !made) {
    failed(std::move(made));
    return false;
  }
  const compiler::Slice left = slice;
  compiler::Slice current{};
  return guarded(*checked_, args, current, [&](const auto& call) { call(false, left); }) == Ending::Returned;
}

Result LaunchRun::makeChecked() {
  const std::lock_guard lock(checking_);
  if (checked_) return {};
  const compiler::NativeKernel* kernel = nullptr;
  if (Result made = (*checkedCode_)(kernel); !made) return made;
  if (kernel->groupAgnostic != groupAgnostic_)
    return {faultCode,
            fmt::format("kernel '{}' accesses memory outside of its arguments and variables", launch_.info->name)};
  Execution execution;
  require(execution, *kernel);
  execution.isObserved = true;
  observer_ = launch_.observer->begin({*launch_.info, launch_.range, kernel->sites, buffers_, launch_.command,
                                       compiler::Instrumentation::CheckAccesses});
  execution.code = {.any = kernel, .instrumentation = compiler::Instrumentation::CheckAccesses};
  checked_ = execution;
  return {};
}

}  // namespace clarity::device::cpu
