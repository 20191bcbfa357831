// SPDX-License-Identifier: Apache-2.0
// This file turns operations into calls of the CUDA driver.
#include "device/cuda/operations.h"

#include "device/cuda/counted_launch.h"
#include "device/cuda/printf.h"
#include "support/inline_vector.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace clarity::device::cuda {
namespace {

/// A launch into an empty stream is issued as a graph when so many of the same code came before: a graph takes 100 us
/// to be made, 2 to have another kernel, and then the host a third less time than a launch does (H100).
constexpr unsigned enoughForGraph = 16;

/// Bytes of local memory behind that of the arguments. A kernel of dpnp reads an element behind its own
/// (docs/faults.md): on the CPU that is harmless, and here it would lose the GPU to the process.
constexpr std::uint64_t localBehind = 1024;

bool takesLocalMemory(const compiler::KernelInfo& kernel) {
  return std::ranges::any_of(
      kernel.args, [](const compiler::KernelArg& argument) { return argument.kind == compiler::ArgKind::Local; });
}

/// Along one dimension: work-groups of one size that follow each other.
struct Run {
  std::uint64_t first, count;
  unsigned local;
  bool full;
};

/// Work-groups of full size first, no more at once than the hardware can count, then the smaller one at the upper edge.
template <class Visit>
Result forEachRun(const NDRange& range, std::size_t d, const Visit& visit) {
  constexpr auto& most = compiler::nvptx::largestGrid;
  const std::uint64_t full = range.global[d] / range.local[d], rest = range.global[d] % range.local[d];
  for (std::uint64_t first = 0; first < full; first += most[d])
    if (Result result = visit(Run{first, std::min(most[d], full - first), static_cast<unsigned>(range.local[d]), true});
        !result)
      return result;
  return rest ? visit(Run{full, 1, static_cast<unsigned>(rest), false}) : Result{};
}

/// The grids of a launch, one after the other. Smaller work-groups are smaller blocks, so that every thread of a block
/// is a work-item.
template <class Visit>
Result forEachGrid(const NDRange& range, const Visit& visit) {
  return forEachRun(range, 2, [&](const Run& z) {
    return forEachRun(range, 1, [&](const Run& y) {
      return forEachRun(range, 0, [&](const Run& x) {
        return visit(
            Grid{{x.first, y.first, z.first},
                 {static_cast<unsigned>(x.count), static_cast<unsigned>(y.count), static_cast<unsigned>(z.count)},
                 {x.local, y.local, z.local},
                 x.full && y.full && z.full});
      });
    });
  });
}

/// Whether forEachGrid() visits one.
bool isOneGrid(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t full = range.global[d] / range.local[d], rest = range.global[d] % range.local[d];
    if (full > compiler::nvptx::largestGrid[d] || (full > 0 && rest > 0)) return false;
  }
  return true;
}

}  // namespace

Direction directionOf(const Operation& operation) {
  const auto ofEnds = [](const auto& transfer) {
    return hostOf(transfer.to) ? Direction::FromGpu : hostOf(transfer.from) ? Direction::ToGpu : Direction::Here;
  };
  if (const auto* copy = std::get_if<Copy>(&operation)) return ofEnds(*copy);
  if (const auto* rect = std::get_if<RectCopy>(&operation)) return ofEnds(*rect);
  return Direction::Here;
}

bool Operations::isSlowToIssue(const Operation& operation, LaunchCode& code) const {
  if (const auto* launch = std::get_if<Launch>(&operation)) {
    auto& executable = *static_cast<CudaExecutable*>(launch->executable);
    return !executable.find(*launch, code) || executable.constructors().arePending();
  }
  if (const auto* sequence = std::get_if<Sequence>(&operation))
    return std::ranges::any_of(sequence->launches, [](const Launch& launch) {
      LaunchCode each;
      auto& executable = *static_cast<CudaExecutable*>(launch.executable);
      return !executable.find(launch, each) || executable.constructors().arePending();
    });
  if (const auto* copy = std::get_if<Copy>(&operation)) {
    const std::byte *const to = hostOf(copy->to), *const from = hostOf(copy->from);
    return copy->bytes > Staging::smallBytes && (to || from) && !(to && from) && !isPinned(to ? to : from, copy->bytes);
  }
  return std::holds_alternative<RectCopy>(operation) && directionOf(operation) != Direction::Here;
}

bool Operations::isLongCopy(const Operation& operation) {
  constexpr std::size_t leastBytes = std::size_t{64} << 10;
  if (const auto* const copy = std::get_if<Copy>(&operation)) return copy->bytes >= leastBytes;
  const auto* const rectangle = std::get_if<RectCopy>(&operation);
  return rectangle && rectangle->region[0] * rectangle->region[1] * rectangle->region[2] >= leastBytes;
}

std::size_t Operations::launchesToBatch(const Operation& operation, const LaunchCode& code) {
  const auto canBatch = [](const Launch& launch, const LaunchCode& its) {
    return its.complete && !launch.info->usesPrintf && !wantsCounts(launch) &&
           ((its.exact && !its.exact->tile.asWritten()) || isOneGrid(launch.range));
  };
  if (const auto* const launch = std::get_if<Launch>(&operation)) return canBatch(*launch, code) ? 1 : 0;
  const auto* const sequence = std::get_if<Sequence>(&operation);
  if (!sequence || sequence->launches.size() > LaunchBatch::most) return 0;
  const bool canAll = std::ranges::all_of(sequence->launches, [&](const Launch& launch) {
    LaunchCode its;
    return static_cast<const CudaExecutable*>(launch.executable)->find(launch, its) && canBatch(launch, its);
  });
  return canAll ? sequence->launches.size() : 0;
}

Result Operations::start(Operation& operation, LaunchCode code, Afterwards& afterwards, Issue& issue) {
  if (auto* launch = std::get_if<Launch>(&operation)) return this->launch(*launch, code, afterwards, issue);
  const TimedBy* const times = issue.times;
  if (times) record(times->begin);
  Result result{CL_INVALID_OPERATION, "the GPU cannot do this"};
  if (auto* copy = std::get_if<Copy>(&operation))
    result = this->copy(*copy, afterwards);
  else if (auto* rect = std::get_if<RectCopy>(&operation))
    result = copyRect(*rect, afterwards);
  else if (auto* fill = std::get_if<Fill>(&operation))
    result = this->fill(*fill, afterwards);
  else if (auto* function = std::get_if<HostFunction>(&operation))
    result = call(*function, afterwards);
  else if (auto* move = std::get_if<Move>(&operation))
    result = this->move(*move);
  else if (auto* sequence = std::get_if<Sequence>(&operation))
    result = launchAll(*sequence, afterwards, issue);
  if (times) record(times->end);
  return result;
}

Result Operations::call(HostFunction& function, Afterwards& afterwards) {
  if (!function.pointers.empty()) return {CL_INVALID_OPERATION, "the host cannot access the GPU's memory"};
  afterwards = [&function] {
    function.function(function.hasArgs ? function.args.data() : nullptr);
    return Result();
  };
  return {};
}

Result Operations::construct(CudaExecutable& executable) {
  return executable.constructors().runOnce([&](const compiler::KernelInfo& info) {
    Launch launch = host::Constructors::launchOf(info);
    launch.executable = &executable;
    Afterwards afterwards;
    Issue issue;
    Result result = execute(launch, {}, afterwards, issue);
    if (result)
      result = resultOf(driver().streamSynchronize(stream_), "the constructors of program-scope objects did not end");
    if (result && afterwards) result = afterwards();
    return result;
  });
}

Result Operations::launch(Launch& launch, LaunchCode code, Afterwards& afterwards, Issue& issue) {
  if (Result result = construct(*static_cast<CudaExecutable*>(launch.executable)); !result) return result;
  return execute(launch, code, afterwards, issue);
}

Result Operations::launchAll(Sequence& sequence, Afterwards& afterwards, Issue& issue) {
  Result result;
  for (Launch& each : sequence.launches) {
    Afterwards then;
    Issue untimed{.mayBatch = issue.mayBatch, .batched = issue.batched};
    result = launch(each, {}, then, untimed);
    issue.batched = untimed.batched;
    if (!result) break;
    if (!then) continue;
    afterwards = [before = std::move(afterwards), then = std::move(then)]() mutable {
      Result first = before ? before() : Result{};
      return first ? then() : first;
    };
  }
  // The command ends now, and its memory may go: the launches before it must have ended.
  if (!result && !issue.batched) (void)driver().streamSynchronize(stream_);
  return result;
}

Result Operations::execute(Launch& launch, LaunchCode code, Afterwards& afterwards, Issue& issue) {
  auto& executable = *static_cast<CudaExecutable*>(launch.executable);
  if (!code.complete) {
    code = {};  // find() may have found a part that the code made here does not need
    if (Result result = executable.make(launch, code); !result) return result;
  }
  if (code.isStandIn) executable.launchedStandIn(launch, *code.exact);
  if (launch.observer) [[unlikely]] {
    const bool isCounted = wantsCounts(launch) && !code.isStandIn && !launch.ended;
    launch.observer->launches(launch);
    if (isCounted) return executeCounted(launch, code, afterwards, issue);
  }
  return executeAs(launch, code, afterwards, issue);
}

Result Operations::executeAs(Launch& launch, const LaunchCode& code, Afterwards& afterwards, Issue& issue) {
  auto& executable = *static_cast<CudaExecutable*>(launch.executable);
  for (const BufferArgument& buffer : launch.buffers) {
    const CuPointer address = addressOf(buffer.memory);
    std::memcpy(launch.args.data() + launch.info->args[buffer.argument].offset, &address, sizeof address);
  }
  compiler::nvptx::LaunchInfo info{};
  const NDRange& range = launch.range;
  for (std::size_t d = 0; d < 3; ++d) {
    const WholeRange& whole = launch.whole;
    info.globalOffset[d] = range.offset[d];
    info.enqueuedLocalSize[d] = range.local[d];
    info.seenOffset[d] = whole.isDivided ? whole.offset[d] : range.offset[d];
    info.globalSize[d] = whole.isDivided ? whole.global[d] : range.global[d];
    info.numGroups[d] = (info.globalSize[d] - 1) / range.local[d] + 1;
    info.groupsBefore[d] = whole.firstGroup[d];
  }
  info.workDim = range.dims;
  info.localBytes = launch.localBytes;
  if (launch.info->usesPrintf) {
    Result result;
    const auto output = std::make_shared<PrintfBuffer>(gpu_, printfBytes_, stream_, result);
    if (!result) return result;
    info.printfBuffer = output->address();
    afterwards = [output] { return output->write(); };
  }
  if (code.exact && !code.exact->tile.asWritten()) {
    const Blocks blocks = blocksOf(*code.exact, launch, executable.mostShared());
    info.localBytes = blocks.groupBytes;
    return start(launch, *code.exact, {.count = blocks.grid, .local = blocks.threads, .full = true}, info,
                 blocks.sharedBytes, issue);
  }
  const auto gridsBy = [&](Issue& each) {
    return forEachGrid(range, [&](const Grid& grid) {
      std::copy_n(grid.first.begin(), 3, info.firstGroup);
      return start(launch, *(grid.full ? code.exact : code.any), grid, info, launch.localBytes, each);
    });
  };
  if (isOneGrid(range)) return gridsBy(issue);
  Issue untimed;
  if (issue.times) record(issue.times->begin);
  Result result = gridsBy(untimed);
  issue.hasBegun = untimed.hasBegun;
  if (issue.times) record(issue.times->end);
  return result;
}

void Operations::signalEnd(const CuKernelNode& node, const Code& code, compiler::nvptx::LaunchInfo& info,
                           Issue& issue) {
  if (!issue.signals || !code.signalsEnd || node.grid[0] != 1 || node.grid[1] != 1 || node.grid[2] != 1) return;
  issue.end = issue.signals->kernelEnd(issue.number);
  info.endFlag = EndSignals::addressOf(issue.end);
  info.endNumber = issue.number;
  if (lastSignalling_.get() != &code) signallingBefore_ = std::exchange(lastSignalling_, code.shared_from_this());
}

CuResult Operations::startAlone(const CuKernelNode& node, const Code& code, compiler::nvptx::LaunchInfo& info,
                                Issue& issue) {
  signalEnd(node, code, info, issue);
  sameAlone_ = std::exchange(lastAlone_, &code) == &code ? sameAlone_ + 1 : 0;
  const Code* const codes[] = {&code};
  const bool isIssued = sameAlone_ >= enoughForGraph && graph_.launch(stream_, {&node, 1}, codes);
  const CuResult outcome = isIssued ? 0 : launchAlone(node, stream_);
  if (outcome != 0) issue.end = {};
  return outcome;
}

Result Operations::start(const Launch& launch, const Code& code, const Grid& grid, compiler::nvptx::LaunchInfo& info,
                         std::uint64_t localBytes, Issue& issue) {
  support::InlineVector<void*, 16> parameters;
  for (const compiler::KernelArg& argument : launch.info->args)
    parameters.push_back(const_cast<std::byte*>(launch.args.data()) + argument.offset);
  parameters.push_back(&info);
  const auto& [first, count, local, full] = grid;
  std::uint64_t shared = localBytes ? localBytes + compiler::nvptx::localBefore : 0;
  if (shared && shared + localBehind + code.ownShared <= mostShared(*gpu_) && takesLocalMemory(*launch.info))
    shared += localBehind;
  const unsigned threads = local[0] * local[1] * local[2];
  if (threads > code.maxThreads) [[unlikely]]
    return {CL_OUT_OF_RESOURCES,
            fmt::format("kernel '{}' uses {} registers a thread, so that a block of this GPU has up to {} threads; its "
                        "work-groups of {} x {} x {} need {}",
                        launch.info->name, code.registers, code.maxThreads, launch.range.local[0],
                        launch.range.local[1], launch.range.local[2], threads)};
  if (const std::uint64_t most = mostShared(*gpu_); shared + code.ownShared > most) [[unlikely]]
    return {CL_OUT_OF_RESOURCES,
            fmt::format("a work-group of kernel '{}' needs {} bytes of local memory, and {} for what the driver keeps "
                        "there; this GPU has {}",
                        launch.info->name, localBytes, shared - localBytes + code.ownShared, most)};
  const CuKernelNode node{.function = code.function,
                          .grid = {count[0], count[1], count[2]},
                          .block = {local[0], local[1], local[2]},
                          .sharedBytes = static_cast<unsigned>(shared),
                          .parameters = parameters.data()};
  code.tellProfile(launch, node);
  if (issue.mayBatch) {
    batch_.add(node, parameters.size(), info, code, issue.batched > 0);
    ++issue.batched;
    return {};
  }
  const TimedBy* const times = issue.times;
  if (times && times->begin && times->end && timedLaunch_.launch(stream_, node, *times, code.shared_from_this())) {
    issue.hasBegun = true;
    return {};
  }
  if (times) record(times->begin);
  const CuResult outcome = issue.alone ? startAlone(node, code, info, issue) : launchAlone(node, stream_);
  if (times) record(times->end);
  if (outcome == 0) [[likely]] {
    issue.hasBegun = true;
    return {};
  }
  Result refusal = refusalOf(launch, outcome);
  if (outcome == cuOutOfMemory && code.privateBytes > 0)
    refusal.text +=
        fmt::format("; for each work-item that the GPU can execute at once it reserves {} bytes", code.privateBytes);
  return refusal;
}

Result Operations::refusalOf(const Launch& launch, CuResult outcome) {
  const auto &global = launch.range.global, &local = launch.range.local;
  return resultOf(
      outcome,
      fmt::format("kernel '{}' could not be launched with {} x {} x {} work-items in work-groups of "
                  "{} x {} x {} and {} bytes of local memory",
                  launch.info->name, global[0], global[1], global[2], local[0], local[1], local[2], launch.localBytes));
}

}  // namespace clarity::device::cuda
