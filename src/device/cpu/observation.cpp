// SPDX-License-Identifier: Apache-2.0
// This file defines what instrumented code calls.
#include "device/cpu/observation.h"

#include "compiler/driver/generate_native.h"
#include "device/counted_lanes.h"
#include "device/cpu/allocator.h"
#include "device/cpu/argument_memory.h"
#include "device/cpu/index_space.h"
#include "device/cpu/shadow.h"
#include "device/executable.h"
#include "support/address_space_hook.h"
#include "support/fault_guard.h"
#include "support/lane_hooks.h"
#include "support/observer_hooks.h"
#include "support/race_cells.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Addresses below are no memory: null pointers, and what is computed from them.
constexpr std::uint64_t leastAddress = 4096;
constexpr std::uint32_t toRead = 1, toWrite = 2;

constinit thread_local LaunchObserver* current [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local const std::vector<ObservedMemory>* arguments [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local std::span<std::byte> localMemory [[gnu::tls_model("initial-exec")]];
constinit thread_local std::uint64_t lastEvent [[gnu::tls_model("initial-exec")]] = 0;  ///< the last copy's number
constinit thread_local bool sliceLeft [[gnu::tls_model("initial-exec")]] = false;
/// The times that code compares cells with.
constinit thread_local support::RaceInterval interval [[gnu::tls_model("initial-exec")]];
/// The order of the next atomic access.
constinit thread_local MemoryOrder nextOrder [[gnu::tls_model("initial-exec")]];

std::uint64_t bytesFor(const ObservedMemory& memory, std::uint32_t access) {
  const bool allowed = (memory.readable || !(access & toRead)) && (memory.writable || !(access & toWrite));
  return allowed ? memory.bytes : 0;
}

/// The memory of an argument that has a known end, or else of one that has none.
const ObservedMemory* memoryAt(std::uint64_t address) {
  const ObservedMemory* endless = nullptr;
  if (!arguments) return nullptr;
  for (const ObservedMemory& memory : *arguments) {
    if (address - memory.address >= memory.bytes) continue;
    if (memory.bytes != everything) return &memory;
    endless = &memory;
  }
  return endless;
}

/// The same; of what lies behind an argument's memory and is no one's, as all memory is aligned, that argument's.
const ObservedMemory* nearestMemory(std::uint64_t address) {
  if (const ObservedMemory* const memory = memoryAt(address)) return memory;
  if (!arguments || __clarity_is_private(reinterpret_cast<const void*>(address))) return nullptr;
  constexpr std::uint64_t alignment = Allocator::alignment;
  const auto found = std::ranges::find_if(*arguments, [&](const ObservedMemory& memory) {
    if (memory.bytes == everything || memory.address % alignment != 0) return false;
    const std::uint64_t end = memory.address + memory.bytes;
    return address >= end && address < (end + alignment - 1) / alignment * alignment;
  });
  return found == arguments->end() ? nullptr : &*found;
}

/// Bytes from what one access is to to what the next is, and how many there are.
struct Step {
  std::int64_t bytes = 0;
  std::uint64_t count = 1;
};

/// Whether boxes of `width` bytes, at the sum of any multiples of the steps below their counts, do not overlap.
bool areApart(std::span<Step> steps, std::uint64_t width) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::ranges::sort(steps, {}, [](const Step& step) { return step.bytes < 0 ? -step.bytes : step.bytes; });
  for (const Step& step : steps) {
    if (step.count <= 1) continue;
    if (step.bytes == 0 || step.bytes > most || step.bytes < -most || step.count > most) return false;
    const auto bytes = static_cast<std::uint64_t>(step.bytes < 0 ? -step.bytes : step.bytes);
    if (bytes < width) return false;
    if (step.count > static_cast<std::uint64_t>(most) / bytes) return false;
    width += bytes * (step.count - 1);
  }
  return true;
}

}  // namespace

Observing::Observing(LaunchObserver* observer, const std::vector<ObservedMemory>* memory, std::span<std::byte> local,
                     double mostSeconds, bool looksAtCells)
    : observerBefore_(current),
      memoryBefore_(arguments),
      localBefore_(localMemory),
      intervalBefore_(interval),
      loops_(observer, mostSeconds),
      looksAtCells_(looksAtCells && observer) {
  current = observer;
  arguments = memory;
  localMemory = local;
  nextOrder = {};
  interval = {};
  if (looksAtCells_) observer->enter(interval);
}

Observing::~Observing() {
  if (looksAtCells_) current->leave(interval);
  interval = intervalBefore_;
  current = observerBefore_;
  arguments = memoryBefore_;
  localMemory = localBefore_;
}

bool wasSliceLeft() { return std::exchange(sliceLeft, false); }

void provideObserverHooks() {
  const auto provide = [](const char* name, auto* function) {
    compiler::provideRuntimeSymbol(name, reinterpret_cast<void*>(function));
  };
  provide("__clarity_observe_access", &__clarity_observe_access);
  provide("__clarity_argument_begin", &__clarity_argument_begin);
  provide("__clarity_argument_bytes", &__clarity_argument_bytes);
  provide("__clarity_object_begin", &__clarity_object_begin);
  provide("__clarity_object_bytes", &__clarity_object_bytes);
  provide("__clarity_pointer_stored", &__clarity_pointer_stored);
  provide("__clarity_pointers_copied", &__clarity_pointers_copied);
  provide("__clarity_stored_begin", &__clarity_stored_begin);
  provide("__clarity_stored_bytes", &__clarity_stored_bytes);
  provide("__clarity_check_texel", &__clarity_check_texel);
  provide("__clarity_check_channels", &__clarity_check_channels);
  provide("__clarity_check_sampler", &__clarity_check_sampler);
  provide("__clarity_observe_uniform", &__clarity_observe_uniform);
  provide("__clarity_check_sub_group", &__clarity_check_sub_group);
  provide("__clarity_observe_sub_group", &__clarity_observe_sub_group);
  provide("__clarity_copy_begins", &__clarity_copy_begins);
  provide("__clarity_copies_awaited", &__clarity_copies_awaited);
  provide("__clarity_leave_slice", &__clarity_leave_slice);
  provide("__clarity_check_access", &__clarity_check_access);
  provide("__clarity_check_arithmetic", &__clarity_check_arithmetic);
  provide("__clarity_check_value", &__clarity_check_value);
  provide("__clarity_observe_write", &__clarity_observe_write);
  provide("__clarity_observe_order", &__clarity_observe_order);
  provide("__clarity_observe_fence", &__clarity_observe_fence);
  provide("__clarity_race_mask", &__clarity_race_mask);
  provide("__clarity_race_cells", &__clarity_race_cells);
  provide("__clarity_race_interval", &__clarity_race_interval);
  provide("__clarity_race_shared", &__clarity_race_shared);
  provide("__clarity_race_own", &__clarity_race_own);
  provide("__clarity_race_access", &__clarity_race_access);
  provide("__clarity_shadowed_begin", &__clarity_shadowed_begin);
  provide("__clarity_shadowed_bytes", &__clarity_shadowed_bytes);
  provide("__clarity_shadow_distance", &__clarity_shadow_distance);
  provide("__clarity_shadow_zeros", &__clarity_shadow_zeros);
  provide("__clarity_shadow_ignored", &__clarity_shadow_ignored);
  provide("__clarity_shadow_any", &__clarity_shadow_any);
  provide("__clarity_shadow_set", &__clarity_shadow_set);
  provide("__clarity_shadow_copy", &__clarity_shadow_copy);
  provide("__clarity_loop_count", &__clarity_loop_count);
  provide("__clarity_check_loop", &__clarity_check_loop);
  provide("__clarity_check_region", &__clarity_check_region);
  provide("__clarity_check_barriers", &__clarity_check_barriers);
  provide("__clarity_counts", &__clarity_counts);
  provide("__clarity_lanes", &__clarity_lanes);
}

}  // namespace clarity::device::cpu

using namespace clarity::device;

/// The observer of an access, which is to memory that several work-items have: a pointer in the generic address space
/// may point to private memory.
static LaunchObserver* observerOf(std::uint64_t address) {
  const auto* const place = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  return cpu::current && !__clarity_is_private(place) ? cpu::current : nullptr;
}

void __clarity_observe_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = observerOf(address))
    observer->access(
        {.site = site, .address = address, .bytes = bytes, .globalId = {x, y, z}, .order = cpu::nextOrder});
}

void __clarity_observe_write(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint32_t isSame,
                             std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = observerOf(address))
    observer->access({.site = site,
                      .address = address,
                      .bytes = bytes,
                      .globalId = {x, y, z},
                      .order = cpu::nextOrder,
                      .writesSameValue = isSame != 0});
}

void __clarity_observe_order(std::uint32_t order, std::uint32_t scope) {
  cpu::nextOrder = {.order = order, .scope = scope};
}

void __clarity_observe_fence(std::uint32_t order, std::uint32_t scope, std::uint64_t x, std::uint64_t y,
                             std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->fence({.order = {.order = order & ((1u << fenceFlagsShift) - 1), .scope = scope},
                     .flags = order >> fenceFlagsShift,
                     .globalId = {x, y, z}});
}

std::uint64_t __clarity_race_mask() { return clarity::support::RaceMemory::get().mask; }
std::uint64_t __clarity_race_cells() { return clarity::support::RaceMemory::get().cells; }
std::uint64_t __clarity_race_interval() { return reinterpret_cast<std::uint64_t>(&cpu::interval); }

std::uint32_t __clarity_race_shared(std::uint32_t argument, std::uint64_t written) {
  if (!cpu::arguments) return 1;
  const ObservedMemory& memory = (*cpu::arguments)[argument];
  for (const ObservedMemory& other : *cpu::arguments) {
    if (other.argument < 64 && !(written >> other.argument & 1)) continue;
    // Arguments of which nothing is known count as everything.
    if (other.address - memory.address < memory.bytes || memory.address - other.address < other.bytes) return 1;
  }
  return 0;
}

std::uint32_t __clarity_race_own(std::uint32_t argument, std::uint64_t others, std::int64_t stepX, std::int64_t stepY,
                                 std::int64_t stepZ, std::int64_t localX, std::int64_t localY, std::int64_t localZ,
                                 std::int64_t groupX, std::int64_t groupY, std::int64_t groupZ, std::uint64_t sizeX,
                                 std::uint64_t sizeY, std::uint64_t sizeZ, std::uint64_t localSizeX,
                                 std::uint64_t localSizeY, std::uint64_t localSizeZ, std::uint32_t needsWholeGroups,
                                 std::uint64_t width, std::int64_t reach) {
  constexpr std::int64_t mostReach = std::numeric_limits<std::int32_t>::max();
  if (__clarity_race_shared(argument, others) || reach < 0 || reach > mostReach) return 1;
  const std::array<std::int64_t, 3> steps{stepX, stepY, stepZ}, local{localX, localY, localZ},
      group{groupX, groupY, groupZ};
  const std::array<std::uint64_t, 3> sizes{sizeX, sizeY, sizeZ}, localSizes{localSizeX, localSizeY, localSizeZ};
  std::array<cpu::Step, 6> all{};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (needsWholeGroups && sizes[d] % localSizes[d] != 0) return 1;
    if (local[d] == 0 && group[d] == 0) {
      all[d] = {steps[d], sizes[d]};
      continue;
    }
    // A global id is a local one and a multiple of the local size.
    const auto localSize = static_cast<std::int64_t>(localSizes[d]);
    all[d] = {steps[d] + local[d], localSizes[d]};
    all[d + sizes.size()] = {steps[d] * localSize + group[d], cpu::divideUp(sizes[d], localSizes[d])};
  }
  return !cpu::areApart(all, width);
}

void __clarity_race_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint32_t item,
                           std::uint32_t isSame, std::uint32_t isLocal) {
  // A pointer in the generic address space: private memory belongs to one work-item.
  if (isLocal > 1) {
    const auto* const place = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
    if (__clarity_is_private(place)) return;
    isLocal = __clarity_is_local(place);
  }
  if (LaunchObserver* const observer = cpu::current)
    observer->undecided({.site = site,
                         .address = address,
                         .bytes = bytes,
                         .item = item,
                         .writesSameValue = isSame != 0,
                         .isLocal = isLocal != 0},
                        cpu::interval);
}

std::uint64_t __clarity_argument_begin(std::uint32_t argument) {
  return cpu::arguments ? (*cpu::arguments)[argument].address : 0;
}

std::uint64_t __clarity_argument_bytes(std::uint32_t argument, std::uint32_t access) {
  return cpu::arguments ? cpu::bytesFor((*cpu::arguments)[argument], access) : cpu::everything;
}

std::uint64_t __clarity_object_begin(std::uint64_t address) {
  const ObservedMemory* const memory = cpu::nearestMemory(address);
  return memory ? memory->address : 0;
}

std::uint64_t __clarity_object_bytes(std::uint64_t address, std::uint32_t access) {
  if (const ObservedMemory* const memory = cpu::nearestMemory(address)) return cpu::bytesFor(*memory, access);
  return address < cpu::leastAddress ? 0 : cpu::everything;
}

void __clarity_check_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t begin,
                            std::uint64_t objectBytes, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->refused({.access = {.site = site, .address = address, .bytes = bytes, .globalId = {x, y, z}},
                       .begin = begin,
                       .bytes = objectBytes});
}

void __clarity_check_texel(std::uint32_t site, std::int32_t atX, std::int32_t atY, std::int32_t atZ,
                           std::uint32_t width, std::uint32_t height, std::uint32_t depth, std::uint64_t x,
                           std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->texel({.site = site, .at = {atX, atY, atZ}, .sizes = {width, height, depth}, .globalId = {x, y, z}});
}

void __clarity_check_channels(std::uint32_t site, std::uint32_t type, std::uint64_t x, std::uint64_t y,
                              std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->channels({.site = site, .type = type, .globalId = {x, y, z}});
}

void __clarity_check_sampler(std::uint32_t site, std::uint64_t sampler, std::uint32_t isByIntegers, std::uint64_t x,
                             std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->sampler({.site = site, .sampler = sampler, .isByIntegers = isByIntegers != 0, .globalId = {x, y, z}});
}

void __clarity_observe_uniform(std::uint32_t site, std::uint32_t group, std::uint64_t value, std::uint64_t x,
                               std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->uniform({.site = site, .group = group, .value = value, .globalId = {x, y, z}});
}

void __clarity_check_sub_group(std::uint32_t site, std::uint32_t here, std::uint32_t all, std::uint64_t x,
                               std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->subGroup({.site = site, .here = here, .all = all, .globalId = {x, y, z}});
}

void __clarity_observe_sub_group(std::uint32_t flags, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current) observer->subGroupMeets(flags, {x, y, z});
}

std::uint64_t __clarity_copy_begins(std::uint32_t site, std::uint64_t event, std::uint64_t x, std::uint64_t y,
                                    std::uint64_t z) {
  if (event == 0) event = ++cpu::lastEvent;
  if (LaunchObserver* const observer = cpu::current)
    observer->copyBegins({.site = site, .events = {&event, 1}, .globalId = {x, y, z}});
  return event;
}

void __clarity_copies_awaited(std::uint32_t site, std::uint32_t count, std::uint64_t events, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->copiesAwaited(
        {.site = site, .events = {reinterpret_cast<const std::uint64_t*>(events), count}, .globalId = {x, y, z}});
}

void __clarity_leave_slice() {
  cpu::sliceLeft = true;
  clarity::support::FaultGuard::abandon({});
}

void __clarity_check_arithmetic(std::uint32_t site, std::uint64_t operand, std::uint64_t x, std::uint64_t y,
                                std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->arithmetic({.site = site, .operand = operand, .globalId = {x, y, z}});
}

void __clarity_check_value(std::uint32_t site, std::uint32_t origin, std::uint64_t address, std::uint64_t x,
                           std::uint64_t y, std::uint64_t z) {
  if (LaunchObserver* const observer = cpu::current)
    observer->uninitialised({.site = site, .origin = origin, .address = address, .globalId = {x, y, z}});
}

void __clarity_check_region(std::uint32_t site, std::uint32_t flags, std::uint64_t x, std::uint64_t y,
                            std::uint64_t z) {
  cpu::restartLoops();
  if (site == kernelBegins && cpu::Shadow::exists())
    cpu::setWritten(reinterpret_cast<std::uint64_t>(cpu::localMemory.data()), cpu::localMemory.size(), false);
  if (LaunchObserver* const observer = cpu::current)
    observer->region({.site = site, .flags = flags, .firstId = {x, y, z}, .interval = &cpu::interval});
}

std::uint32_t __clarity_check_barriers(const std::uint32_t* next, std::uint64_t items, const std::uint32_t* sites,
                                       std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  std::uint32_t lowest = hasReturned, lowestFree = hasReturned;
  for (const std::uint32_t part : std::span(next, items)) {
    lowest = std::min(lowest, part);
    if (part != hasReturned && sites[part] == noBarrier) lowestFree = std::min(lowestFree, part);
  }
  if (lowestFree != hasReturned) return lowestFree;
  if (LaunchObserver* const observer = cpu::current)
    observer->barriers({.next = {next, items}, .sites = sites, .firstId = {x, y, z}});
  return lowest;
}

void __clarity_counts(std::uint64_t floats, std::uint64_t doubles, std::uint64_t halves, std::uint64_t integers,
                      std::uint64_t read, std::uint64_t written, std::uint64_t local) {
  if (cpu::current) cpu::current->counts({floats, doubles, halves, integers, read, written, local});
}

void __clarity_lanes(std::uint64_t active, std::uint64_t lanes) { countedLanes = {active, lanes}; }
