// SPDX-License-Identifier: Apache-2.0
// This file checks what kernels ask of device-side enqueue.
#include "device/cpu/child_command.h"
#include "device/host/local_size.h"
#include "support/checked.h"
#include "support/clock.h"
#include "support/fault_guard.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>

namespace clarity::device::cpu {
namespace {

using support::FaultGuard;

constexpr std::uint32_t mostFlags = 2;  ///< CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP
/// The alignment of local memory for an argument: its type is unknown.
constexpr std::uint64_t localAlignment = 64;
constexpr std::int32_t execTime = 1;  ///< CLK_PROFILING_COMMAND_EXEC_TIME

/// The pointers to local memory among the arguments of a block: the literal, then these, then captured pointers.
std::uint32_t localsOf(const compiler::KernelInfo& block) {
  return static_cast<std::uint32_t>(
      std::ranges::count(block.args, compiler::ArgKind::Local, &compiler::KernelArg::kind));
}

/// The buffer of a launch that an address is in, from there on.
std::optional<BufferArgument> bufferAt(const Launch& launch, std::uint64_t address) {
  for (const BufferArgument& buffer : launch.buffers) {
    const std::uint64_t offset = address - reinterpret_cast<std::uintptr_t>(buffer.memory.hostAddress());
    if (offset >= buffer.bytes) continue;
    BufferArgument part = buffer;
    part.isInside |= offset != 0;
    if (part.memory.allocation)
      part.memory.offset += offset;
    else
      part.memory.host += offset;
    part.bytes -= offset;
    return part;
  }
  return std::nullopt;
}

/// Reads memory that a kernel points to. A fault is the kernel's, and ends it: there must be nothing to give back yet.
void touch(const void* begin, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const auto* const at = static_cast<const volatile std::byte*>(begin);
  for (std::size_t offset = 0; offset < bytes; offset += page) (void)at[offset];
  if (bytes != 0) (void)at[bytes - 1];
}

/// Calls what may throw; std::bad_alloc is what `failure` says.
template <class Work>
std::int32_t orElse(std::int32_t failure, const Work& work) {
  // A fault in here is no fault of the kernel, and a launch that is ended must not leave a lock behind.
  const FaultGuard::Outside outside;
  try {
    return work();
  } catch (...) {
    return failure;
  }
}

}  // namespace

bool ChildKernels::saysWhyNot(const Command& parent) const { return parent.launch.info->saysWhyNot; }

bool ChildKernels::rangeOf(const EnqueueRange& request, const compiler::KernelInfo& block, NDRange& range) const {
  if (request.dims < 1 || request.dims > 3 || !queues_.device) return false;
  range.dims = request.dims;
  bool anyLocal = false, allLocal = true;
  for (std::uint32_t d = 0; d < request.dims; ++d) {
    range.offset[d] = request.offset[d];
    range.global[d] = request.global[d];
    if (request.offset[d] + request.global[d] < request.offset[d]) return false;
    (request.local[d] ? anyLocal : allLocal) = request.local[d] != 0;
  }
  if (!anyLocal) {
    host::chooseLocalSize(block, *queues_.device, range);
    return true;
  }
  if (!allLocal) return false;
  std::uint64_t items = 1;
  for (std::uint32_t d = 0; d < request.dims; ++d) {
    const std::size_t local = range.local[d] = request.local[d];
    if (local > queues_.device->maxWorkItemSizes[d]) return false;
    items *= local;
    if (block.uniformWorkGroups && request.global[d] % local != 0) return false;
  }
  return items <= queues_.device->maxWorkGroupSize;
}

std::int32_t ChildKernels::launchOf(const EnqueueRange& range, std::span<const std::size_t> localSizes,
                                    Launch& launch) const {
  const compiler::KernelInfo& block = *launch.info;
  if (!rangeOf(range, block, launch.range)) return clkInvalidNdrange;
  launch.executable = rootLaunch_.executable;
  launch.observer = rootLaunch_.observer;
  launch.command = rootLaunch_.command;
  launch.ended = rootLaunch_.ended;
  launch.queues = rootLaunch_.queues;
  for (std::uint32_t i = 1; i < block.args.size(); ++i) {
    if (block.args[i].kind != compiler::ArgKind::Buffer) continue;
    std::uint64_t address = 0;
    std::memcpy(&address, launch.args.data() + block.args[0].offset + block.args[i].capturedAt, sizeof address);
    std::memcpy(launch.args.data() + block.args[i].offset, &address, sizeof address);
    if (auto buffer = bufferAt(rootLaunch_, address)) {
      buffer->argument = i;
      launch.buffers.push_back(*buffer);
    } else {
      launch.hasOtherPointers |= address != 0;
    }
  }
  launch.localBytes = block.localBytes;
  for (std::uint32_t i = 0; i < localSizes.size(); ++i) {
    if (localSizes[i] == 0) return clkInvalidArgSize;
    const std::uint64_t offset = support::limitedRoundUp(launch.localBytes, localAlignment);
    std::memcpy(launch.args.data() + block.args[i + 1].offset, &offset, sizeof offset);
    launch.localBytes = support::limitedSum(offset, localSizes[i]);
    launch.locals.emplace_back(i + 1, std::uint64_t{localSizes[i]});
  }
  return launch.localBytes <= queues_.device->localMemBytes ? clkSuccess : clkOutOfResources;
}

void ChildKernels::prepareOnce(const Launch& launch, std::uint32_t block) {
  if (isPrepared_[block].exchange(true, std::memory_order_relaxed)) return;
  // The launch is valid without.
  (void)orElse(clkSuccess, [&] {
    prepareAhead_(launch);
    return clkSuccess;
  });
}

std::int32_t ChildKernels::enqueue(Command& parent, const EnqueueRequest& request) {
  const compiler::KernelInfo* const block = blockOf(request.block);
  std::unique_ptr<Command> command;
  Waits waits;
  std::vector<std::size_t> sizes;
  EnqueueRange range{};
  std::uint64_t event = 0;
  std::int32_t code = orElse(clkOutOfResources, [&]() -> std::int32_t {
    if (!block || localsOf(*block) != request.localCount || request.flags > mostFlags) return clkEnqueueFailure;
    if (!queues_.find(request.queue)) return clkInvalidQueue;
    if (request.hasEvents && (request.waits == nullptr) != (request.waitCount == 0)) return clkInvalidEventWaitList;
    return request.waitCount > mostEnqueuedEvents ? clkInvalidEventWaitList : clkSuccess;
  });
  if (code == clkSuccess) {
    touch(request.waits, request.waitCount * sizeof *request.waits);
    touch(request.localSizes, request.localCount * sizeof *request.localSizes);
    touch(request.literal, block->args[0].size);
    touch(request.range, sizeof *request.range);
    code = orElse(clkOutOfResources, [&] {
      waits.resize(request.waitCount);
      sizes.resize(request.localCount);
      command = std::make_unique<Command>(*this, block);
      command->launch.args =
          ArgBlock(block->argBlockBytes, std::bit_ceil(std::max<std::size_t>(block->args[0].align, 8)));
      return clkSuccess;
    });
  }
  if (code == clkSuccess) {
    std::copy_n(request.waits, waits.size(), waits.begin());
    std::copy_n(request.localSizes, sizes.size(), sizes.begin());
    std::memcpy(command->launch.args.data() + block->args[0].offset, request.literal, block->args[0].size);
    range = *request.range;
    code = orElse(clkOutOfResources, [&] {
      if (const std::int32_t wrong = launchOf(range, sizes, command->launch)) return wrong;
      command->launch.parent = command.get();
      prepareOnce(command->launch, request.block);
      const std::lock_guard lock(mutex_);
      return add(parent, std::move(command), *queues_.find(request.queue), waits, request.event ? &event : nullptr);
    });
  }
  if (code == clkSuccess && request.event) *request.event = event;
  return code == clkSuccess || saysWhyNot(parent) ? code : clkEnqueueFailure;
}

std::int32_t ChildKernels::enqueueMarker(Command& parent, std::uint64_t queue, std::uint32_t count,
                                         const std::uint64_t* waits, std::uint64_t* event) {
  if (!event) return clkSuccess;  // no kernel could tell that there is one
  Waits copied;
  std::uint64_t number = 0;
  std::int32_t code = orElse(clkOutOfResources, [&]() -> std::int32_t {
    if (!queues_.find(queue)) return clkInvalidQueue;
    return !waits || count == 0 || count > mostEnqueuedEvents ? clkInvalidEventWaitList : clkSuccess;
  });
  if (code == clkSuccess) {
    touch(waits, count * sizeof *waits);
    code = orElse(clkOutOfResources, [&] {
      copied.assign(waits, waits + count);
      auto marker = std::make_unique<Command>(*this, nullptr);
      marker->startedAt = support::hostTime();
      const std::lock_guard lock(mutex_);
      return add(parent, std::move(marker), *queues_.find(queue), copied, &number);
    });
  }
  if (code == clkSuccess) *event = number;
  return code == clkSuccess || saysWhyNot(parent) ? code : clkEnqueueFailure;
}

std::uint64_t ChildKernels::defaultQueue() const { return LaunchQueues::nameOf(queues_.standard.get()); }

std::uint64_t ChildKernels::createEvent() {
  constexpr std::uint64_t null = ~std::uint64_t{0};  // CLK_NULL_EVENT
  std::uint64_t event = null;
  (void)orElse(clkEventAllocationFailure, [&] {
    const std::lock_guard lock(mutex_);
    if (events_.size() < mostEnqueuedEvents) event = addEvent(true);
    return clkSuccess;
  });
  return event;
}

void ChildKernels::retainEvent(std::uint64_t event) {
  const FaultGuard::Outside outside;
  const std::lock_guard lock(mutex_);
  if (Event* const it = find(event)) ++it->references;
}

void ChildKernels::releaseEvent(std::uint64_t event) {
  const FaultGuard::Outside outside;
  const std::lock_guard lock(mutex_);
  Event* const it = find(event);
  if (!it || it->references == 0) return;
  --it->references;
  dropUnused(event);
}

bool ChildKernels::isEvent(std::uint64_t event) {
  const FaultGuard::Outside outside;
  const std::lock_guard lock(mutex_);
  return find(event) != nullptr;
}

void ChildKernels::setEvent(std::uint64_t event, std::int32_t status) {
  (void)orElse(clkOutOfResources, [&] {
    const std::lock_guard lock(mutex_);
    Event* const it = find(event);
    if (it && it->isUser && it->status > CL_COMPLETE && status <= CL_COMPLETE) complete(event, *it, status);
    endMarkers();
    return clkSuccess;
  });
}

void ChildKernels::profileEvent(std::uint64_t event, std::int32_t name, std::uint64_t* value) {
  if (!value || name != execTime) return;
  value[0] = value[1] = 0;  // a wrong address is the kernel's fault
  (void)orElse(clkOutOfResources, [&] {
    const std::lock_guard lock(mutex_);
    Event* const it = find(event);
    if (!it) return clkSuccess;
    if (it->status > CL_COMPLETE)
      it->profiles.push_back(value);
    else
      std::copy_n(it->times, 2, value);
    return clkSuccess;
  });
}

std::uint32_t ChildKernels::factOf(std::uint32_t number, BlockFact fact, const EnqueueRange* request) const {
  const compiler::KernelInfo* const block = blockOf(number);
  if (!block || !queues_.device) return 0;
  if (fact == BlockFact::LargestGroup) return static_cast<std::uint32_t>(queues_.device->maxWorkGroupSize);
  if (fact == BlockFact::PreferredMultiple) return block->preferredMultiple(queues_.device->preferredWorkGroupMultiple);
  const std::uint32_t full = std::max<std::uint32_t>(block->subGroupSize, 1);
  if (fact == BlockFact::FullSubGroup) return full;
  if (fact == BlockFact::MostSubGroups) return static_cast<std::uint32_t>(queues_.device->maxWorkGroupSize / full);
  const FaultGuard::Outside outside;
  NDRange range;
  if (!rangeOf(*request, *block, range)) return 0;
  const std::uint64_t items = std::uint64_t{range.local[0]} * range.local[1] * range.local[2];
  return static_cast<std::uint32_t>(fact == BlockFact::SubGroupSize ? std::min<std::uint64_t>(items, full)
                                                                    : (items + full - 1) / full);
}

}  // namespace clarity::device::cpu
