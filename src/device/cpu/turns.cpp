// SPDX-License-Identifier: Apache-2.0
// This file lets the work-items of a group take turns. Whoever executes a work-item has the turn and chooses who gets
// it next; no other thread touches what is here meanwhile, so nothing of it is locked.
#include "device/cpu/turns.h"

#include "compiler/driver/generate_native.h"
#include "device/cpu/group_items.h"
#include "device/cpu/kernel_stack.h"
#include "support/debug_state.h"
#include "support/own_thread.h"
#include "support/work_item_hooks.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::device::cpu {
namespace {

/// Values behind a row that code may read and write (support/work_item_hooks.h).
constexpr std::uint64_t behindRow = 64;

struct ItemThread;

/// The facts of a work-item that debuggers do not see.
struct Waiting {
  ItemThread* thread = nullptr;  ///< that executes it, once it has begun
  std::uint32_t call = 0;        ///< the number of the sub-group function at which it waits
  std::uint64_t met = 0;         ///< who came to it, a bit for each lane
};

class Turns;
/// A thread for work-items; waits for one when it has none.
struct ItemThread {
  std::binary_semaphore turn{0};
  Turns* turns = nullptr;
  std::size_t item = 0;        ///< that it executes or is to begin
  std::vector<std::byte> row;  ///< the row of __clarity_meet_work_group
};

/// The work-item that this thread executes.
constinit thread_local Turns* ownTurns [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local std::size_t ownItem [[gnu::tls_model("initial-exec")]] = 0;

/// Threads that have no work-item. They live as long as the process.
std::vector<ItemThread*>& idleThreads() {
  static auto& threads = *new std::vector<ItemThread*>;
  return threads;
}

class Turns {
public:
  Turns(const TurnsLaunch& launch, const compiler::Slice& slice, support::Fault& fault,
        const std::function<bool()>& isEnded)
      : launch_(launch), slice_(slice), isEnded_(isEnded), fault_(fault) {}

  /// Executes all work-items of the slice; false after a fault, or when the launch is to end.
  bool run() {
    std::ranges::copy(slice_.begin, group_.begin());
    setUp();
    try {
      begin(0);
    } catch (const std::exception&) {
      fault_ = noThread();
      failed_ = true;
      return false;
    }
    done().acquire();
    return !failed_;
  }

  /// On a thread of the pool.
  void executeFrom(ItemThread& thread) {
    for (;;) {
      execute(thread);
      std::size_t next = choose();
      if (next == none && beginNextGroup()) next = choose();
      if (next != none && items_[next].state == WorkItemNotBegun) {
        thread.item = next;
        continue;
      }
      thread.turns = nullptr;
      idleThreads().push_back(&thread);
      handOver(next);
      return;
    }
  }

  const WorkItemPlace& place(std::size_t item) const { return items_[item].place; }

  /// `at`: where its code goes on.
  void waitForGroup(const void* at) {
    items_[ownItem].waitsAt = reinterpret_cast<std::uint64_t>(at);
    pause(WorkItemAtBarrier);
  }

  void* meetGroup(const void* value, std::uint64_t bytes, const void* at) {
    items_[ownItem].waitsAt = reinterpret_cast<std::uint64_t>(at);
    values_.resize(items_.size() * bytes);
    std::memcpy(values_.data() + ownItem * bytes, value, bytes);
    pause(WorkItemAtBarrier);
    std::vector<std::byte>& row = waiting_[ownItem].thread->row;
    row.assign((items_.size() + behindRow) * bytes, std::byte{0});
    std::memcpy(row.data(), metValues_.data(), std::min(items_.size() * bytes, metValues_.size()));
    return row.data();
  }

  std::uint64_t meetSubGroup(const void* value, std::uint64_t bytes, void* row, std::uint32_t size, std::uint32_t call,
                             const void* at) {
    items_[ownItem].waitsAt = reinterpret_cast<std::uint64_t>(at);
    const std::size_t first = ownItem / size * size, count = std::min<std::size_t>(size, items_.size() - first);
    lanes_.resize(items_.size() * mostBytes);
    metLanes_.resize(items_.size() * mostBytes);
    if (bytes) std::memcpy(lanes_.data() + ownItem * mostBytes, value, bytes);
    Waiting& own = waiting_[ownItem];
    own.call = call;
    subGroupSize_ = size;
    pause(WorkItemInSubGroup);
    const std::uint64_t met = own.met;
    if (bytes) {
      std::memset(row, 0, size * bytes);
      for (std::size_t lane = 0; lane < count; ++lane)
        if (met >> lane & 1)
          std::memcpy(static_cast<std::byte*>(row) + lane * bytes, metLanes_.data() + (first + lane) * mostBytes,
                      bytes);
    }
    return met;
  }

private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t mostBytes = 16;  ///< bytes of a value of a sub-group function

  /// Released at the end of a group, by a thread that may be in it still when the group is gone.
  static std::binary_semaphore& done() {
    static auto& semaphore = *new std::binary_semaphore{0};
    return semaphore;
  }

  static support::Fault noThread() {
    support::Fault fault;
    fault.text = "could not start a thread for each work-item that waits for others";
    return fault;
  }

  /// False behind the last group.
  bool beginNextGroup() {
    if (failed_ || (failed_ = isEnded_())) return false;
    for (std::size_t d = 0; d < 3; ++d) {
      if (++group_[d] < slice_.end[d]) {
        setUp();
        return true;
      }
      group_[d] = slice_.begin[d];
    }
    return false;
  }

  void setUp() {
    items_.start(group_, launch_.info, launch_.memory, launch_.kernel);
    waiting_.assign(items_.size(), {});
    last_ = items_.size();  // behind the last: the first is next
  }

  // --- one work-item ----------------------------------------------------------------------------------------------

  void execute(ItemThread& thread) {
    DebuggedItem& item = items_[thread.item];
    if (failed_) {
      item.state = WorkItemEnded;
      return;
    }
    item.state = WorkItemRuns;
    item.thread = ::gettid();
    waiting_[thread.item].thread = &thread;
    nameThread(item.place);
    ownTurns = this;
    ownItem = thread.item;
    support::Fault fault;
    if (!call(fault) && !failed_) {
      failed_ = true;
      fault_ = std::move(fault);
    }
    ownTurns = nullptr;
    item.state = WorkItemEnded;
  }

  bool call(support::Fault& fault) const {
    KernelStack& stack = KernelStack::mine();
    if (!stack.reserve(launch_.frameBytes)) {
      fault.text = fmt::format("needs a stack with {} bytes of private variables, for which there is no memory",
                               launch_.frameBytes);
      return false;
    }
    const compiler::Slice unread{};
    return support::FaultGuard::run(
        [&] { stack.call(launch_.entry, launch_.args, &launch_.info, &unread, &launch_.memory); }, fault);
  }

  /// Debuggers list threads by these names, of at most 15 characters.
  void nameThread(const WorkItemPlace& place) const {
    std::string name = fmt::format("item {}", place.localId[0]);
    for (std::size_t d = 1; d < launch_.info.workDim; ++d) name += fmt::format(",{}", place.localId[d]);
    ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
  }

  // --- whose turn it is -------------------------------------------------------------------------------------------

  /// Gives the turn to others until the work-item has it again.
  void pause(WorkItemState why) {
    const std::size_t own = ownItem;
    items_[own].state = why;
    const std::size_t next = choose();
    if (next != own) {
      if (!tryHandOver(next)) return support::FaultGuard::abandon(noThread().text);
      waiting_[own].thread->turn.acquire();
    }
    items_[own].state = WorkItemRuns;
    if (failed_) support::FaultGuard::abandon({});
  }

  /// The work-item whose turn is next: the first behind the last one that can go on, or else the first of all. If there
  /// is none, those that wait have all that they wait for. `none`: all have ended.
  std::size_t choose() {
    if (failed_) return firstLeft();
    const auto canGoOn = [&](const DebuggedItem& item) {
      return item.state == WorkItemNotBegun || item.state == WorkItemReady;
    };
    const auto from = items_.begin() + static_cast<std::ptrdiff_t>(std::min(last_ + 1, items_.size()));
    auto found = std::find_if(from, items_.end(), canGoOn);
    if (found == items_.end()) found = std::ranges::find_if(items_, canGoOn);
    if (found == items_.end()) {
      if (!release()) return none;
      found = std::ranges::find_if(items_, canGoOn);
    }
    return last_ = static_cast<std::size_t>(found - items_.begin());
  }

  /// After a fault: one that has begun and has to be ended.
  std::size_t firstLeft() {
    const auto isLeft = [](const DebuggedItem& item) {
      return item.state != WorkItemNotBegun && item.state != WorkItemEnded;
    };
    const auto found = std::ranges::find_if(items_, isLeft);
    return found == items_.end() ? none : static_cast<std::size_t>(found - items_.begin());
  }

  /// Nothing can go on: sub-groups first, of which not all may come to a call; then the work-group.
  bool release() {
    const auto first = std::ranges::find(items_, WorkItemInSubGroup, &DebuggedItem::state);
    if (first != items_.end()) {
      releaseSubGroup(static_cast<std::size_t>(first - items_.begin()));
      return true;
    }
    bool any = false;
    for (DebuggedItem& item : items_) {
      if (item.state != WorkItemAtBarrier) continue;
      item.state = WorkItemReady;
      any = true;
    }
    // Values stay until all have them: no other meeting ends before.
    values_.swap(metValues_);
    return any;
  }

  void releaseSubGroup(std::size_t item) {
    const std::size_t begin = item / subGroupSize_ * subGroupSize_;
    const std::size_t end = std::min<std::size_t>(begin + subGroupSize_, items_.size());
    const std::uint32_t call = waiting_[item].call;
    const auto meets = [&](std::size_t i) { return items_[i].state == WorkItemInSubGroup && waiting_[i].call == call; };
    std::uint64_t met = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (meets(i)) met |= std::uint64_t{1} << (i - begin);
    for (std::size_t i = begin; i < end; ++i) {
      if (!meets(i)) continue;
      waiting_[i].met = met;
      items_[i].state = WorkItemReady;
      std::memcpy(metLanes_.data() + i * mostBytes, lanes_.data() + i * mostBytes, mostBytes);
    }
  }

  void handOver(std::size_t next) {
    if (tryHandOver(next)) return;
    // The thread is idle by now and ends the group in place of the one that could not be started.
    if (!failed_) fault_ = noThread();
    failed_ = true;
    handOver(firstLeft());
  }

  bool tryHandOver(std::size_t next) try {
    if (next == none)
      done().release();
    else if (items_[next].state == WorkItemNotBegun)
      begin(next);
    else
      waiting_[next].thread->turn.release();
    return true;
  } catch (const std::exception&) {
    return false;
  }

  /// Begins a work-item on a thread that has none.
  void begin(std::size_t item) {
    std::vector<ItemThread*>& idle = idleThreads();
    if (idle.empty()) startThread();
    ItemThread& thread = *idle.back();
    idle.pop_back();
    thread.turns = this;
    thread.item = item;
    thread.turn.release();
  }

  static void startThread() {
    idleThreads().reserve(idleThreads().size() + 1);
    auto made = std::make_unique<ItemThread>();
    support::runOnOwnThread([thread = made.get()] {
      for (;;) {
        thread->turn.acquire();
        thread->turns->executeFrom(*thread);
      }
    });
    idleThreads().push_back(made.release());
  }

  const TurnsLaunch& launch_;
  const compiler::Slice& slice_;
  const std::function<bool()>& isEnded_;
  support::Fault& fault_;
  std::array<std::uint64_t, 3> group_{};
  GroupItems items_;
  std::vector<Waiting> waiting_;
  std::vector<std::byte> values_, lanes_, metValues_, metLanes_;  ///< bytes of those who wait, and of the last meeting
  std::uint32_t subGroupSize_ = 1;
  std::size_t last_ = 0;  ///< who has the turn, or had it last
  bool failed_ = false;
};

}  // namespace

bool isLocalToWorkItem(const void* address) {
  if (!ownTurns) return false;
  const WorkItemPlace& place = ownTurns->place(ownItem);
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(place.local);
  return offset < place.localBytes + compiler::localBehind;
}

bool runInTurns(const TurnsLaunch& launch, const compiler::Slice& slice, support::Fault& fault,
                const std::function<bool()>& isEnded) {
  static auto& oneAtATime = *new std::mutex;
  const std::lock_guard lock(oneAtATime);
  std::vector<DebuggedMemory> memory;
  for (const ObservedMemory& buffer : launch.buffers)
    if (buffer.bytes != ~std::uint64_t{0} && buffer.address)
      memory.push_back({.address = buffer.address, .bytes = buffer.bytes, .argument = buffer.argument});
  const ShownMemory shown(memory);
  return !isEnded() && Turns(launch, slice, fault, isEnded).run();
}

void provideWorkItemHooks() {
  const auto provide = [](const char* name, auto* function) {
    compiler::provideRuntimeSymbol(name, reinterpret_cast<void*>(function));
  };
  provide("__clarity_work_item", &__clarity_work_item);
  provide("__clarity_wait_at_barrier", &__clarity_wait_at_barrier);
  provide("__clarity_meet_work_group", &__clarity_meet_work_group);
  provide("__clarity_meet_sub_group", &__clarity_meet_sub_group);
}

}  // namespace clarity::device::cpu

namespace cpu = clarity::device::cpu;

extern "C" {

const WorkItemPlace* __clarity_work_item() { return &cpu::ownTurns->place(cpu::ownItem); }

void __clarity_wait_at_barrier(std::uint32_t) { cpu::ownTurns->waitForGroup(__builtin_return_address(0)); }

void* __clarity_meet_work_group(const void* value, std::uint64_t bytes) {
  return cpu::ownTurns->meetGroup(value, bytes, __builtin_return_address(0));
}

std::uint64_t __clarity_meet_sub_group(const void* value, std::uint64_t bytes, void* row, std::uint32_t size,
                                       std::uint32_t call) {
  return cpu::ownTurns->meetSubGroup(value, bytes, row, size, call, __builtin_return_address(0));
}

}  // extern "C"
