// SPDX-License-Identifier: Apache-2.0
// This file enqueues the commands of kernels and runs them.
#include "device/cpu/child_kernels.h"

#include "device/cpu/child_command.h"
#include "device/cpu/operations.h"
#include "support/clock.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ranges>
#include <utility>

namespace clarity::device::cpu {

namespace {

/// Makes room for so many elements, twice as many as there were at least.
template <class T>
void growFor(std::vector<T>& elements, std::size_t count) {
  if (count > elements.capacity()) elements.reserve(std::max(count, 2 * elements.capacity()));
}

Result didNotRun(const ChildKernels::Command& command) {
  return guarded([&]() -> Result {
    const std::string name = command.launch.info ? fmt::format("kernel '{}'", command.launch.info->name) : "a marker";
    return {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            name + " did not run: an event that it waits for has a negative status"};
  });
}

}  // namespace

ChildKernels::ChildKernels(const Launch& root, std::span<const compiler::KernelInfo> kernels, host::Workers& workers,
                           RunLaunch runLaunch, PrepareAhead prepareAhead)
    : rootLaunch_(root),
      kernels_(kernels),
      workers_(workers),
      runLaunch_(std::move(runLaunch)),
      prepareAhead_(std::move(prepareAhead)),
      isPrepared_(kernels.size()),
      queues_(root.queues ? *root.queues : none_),
      root_(std::make_unique<Command>(*this, root.info)) {}

ChildKernels::~ChildKernels() = default;

void* ChildKernels::root() { return root_.get(); }

const compiler::KernelInfo* ChildKernels::blockOf(std::uint32_t number) const {
  return number < kernels_.size() && kernels_[number].isBlock ? &kernels_[number] : nullptr;
}

// --- what waits for what -----------------------------------------------------------------------------------------

ChildKernels::Event* ChildKernels::find(std::uint64_t event) {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : &found->second;
}

std::uint64_t ChildKernels::addEvent(bool isUser) {
  // Numbers of other launches are no events of this one.
  static std::atomic<std::uint64_t> last{0};
  const std::uint64_t number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  events_[number].isUser = isUser;
  return number;
}

std::int32_t ChildKernels::add(Command& parent, std::unique_ptr<Command> command, DeviceQueue& queue,
                               const Waits& waits, std::uint64_t* event) {
  if (std::ranges::any_of(waits, [&](std::uint64_t each) { return !find(each); })) return clkInvalidEventWaitList;
  if (event && events_.size() >= mostEnqueuedEvents) return clkEventAllocationFailure;
  const bool isKernel = command->launch.info != nullptr;
  // All that may fail for want of memory comes first, that of the command's end included.
  growFor(all_, all_.size() + 1);
  growFor(ready_, all_.size() + 1);
  growFor(endedMarkers_, all_.size() + 1);
  growFor(parent.enqueued, parent.enqueued.size() + 1);
  for (const std::uint64_t each : waits) {
    std::vector<Command*>& waiting = find(each)->waiting;
    growFor(waiting, waiting.size() + waits.size());
  }
  const std::uint64_t number = event ? addEvent(false) : 0;
  if (!queue.take(command->bytes())) {
    events_.erase(number);
    return clkDeviceQueueFull;
  }
  Command& added = *command;
  added.queue = &queue;
  added.enqueuedBy = parent.launch.info;
  added.place = all_.size();
  all_.push_back(std::move(command));
  added.event = number;
  if (event) *event = number;
  for (const std::uint64_t each : waits) {
    Event& awaited = *find(each);
    if (awaited.status > CL_COMPLETE) {
      ++added.waits;
      awaited.waiting.push_back(&added);
    } else if (awaited.status < CL_COMPLETE) {
      added.awaitedFailed = true;
    }
  }
  added.parent = isKernel ? &parent : root_.get();
  ++added.parent->unfinished;
  ++added.waits;  // for its parent, or until it is here
  if (isKernel)
    parent.enqueued.push_back(&added);
  else
    endWait(added);
  endMarkers();
  return clkSuccess;
}

void ChildKernels::endWait(Command& command) {
  if (--command.waits > 0) return;
  (command.launch.info ? ready_ : endedMarkers_).push_back(&command);
}

void ChildKernels::endMarkers() {
  // One by one: a chain of markers would be a chain of calls.
  while (!endedMarkers_.empty()) {
    Command* const marker = endedMarkers_.back();
    endedMarkers_.pop_back();
    ended(*marker, {});
  }
}

void ChildKernels::ended(Command& command, Result result) {
  command.endedAt = support::hostTime();
  command.leaveQueue();
  if (command.awaitedFailed && result) result = didNotRun(command);
  command.status = result.code;
  if (!result && result_) result_ = std::move(result);
  // The first that was enqueued is to run first.
  for (Command* const child : std::views::reverse(command.enqueued)) endWait(*child);
  // A command without an event need not be remembered: chains of kernels, however long, take no memory.
  if (command.parent && command.event == 0) {
    for (Command* const child : command.enqueued) child->parent = command.parent;
    command.parent->unfinished += command.enqueued.size();
    command.unfinished -= command.enqueued.size();
  }
  command.enqueued.clear();
  completeIfAll(&command);
}

void ChildKernels::completeIfAll(Command* command) {
  while (command && --command->unfinished == 0) {
    if (Event* const event = find(command->event)) {
      event->times[0] = command->endedAt - command->startedAt;
      event->times[1] = support::hostTime() - command->startedAt;
      for (std::uint64_t* const place : event->profiles) std::copy_n(event->times, 2, place);
      complete(command->event, *event, command->status);
    }
    Command* const parent = command->parent;
    if (parent) {
      const std::size_t place = command->place;
      all_.back()->place = place;
      std::swap(all_[place], all_.back());
      all_.pop_back();
    }
    command = parent;
  }
}

void ChildKernels::complete(std::uint64_t number, Event& event, std::int32_t status) {
  event.status = status;
  for (Command* const waiting : std::exchange(event.waiting, {})) {
    waiting->awaitedFailed |= status < CL_COMPLETE;
    endWait(*waiting);
  }
  dropUnused(number);
}

void ChildKernels::dropUnused(std::uint64_t number) {
  if (Event* const event = find(number); event && event->references == 0 && event->status <= CL_COMPLETE)
    events_.erase(number);
}

// --- running -----------------------------------------------------------------------------------------------------

ChildKernels::Command* ChildKernels::takeReady(bool small) {
  if (ready_.empty() || (small && isHeavy(ready_.back()->launch))) return nullptr;
  Command* const command = ready_.back();
  ready_.pop_back();
  return command;
}

void ChildKernels::run(Command& command, host::Workers& workers) {
  Result result;
  command.startedAt = support::hostTime();
  if (!command.awaitedFailed) {
    result = guarded([&] {
      Result run = runLaunch_(command.launch, workers);
      if (!run) run.text += fmt::format("; kernel '{}' enqueued it", command.enqueuedBy->name);
      return run;
    });
  }
  const std::lock_guard lock(mutex_);
  ended(command, std::move(result));
  endMarkers();
}

Result ChildKernels::finish(Result ofRoot) {
  std::unique_lock lock(mutex_);
  if (!ofRoot) {  // what it has enqueued never runs
    result_ = std::move(ofRoot);
  } else {
    ended(*root_, {});
    endMarkers();
    while (!ready_.empty()) {
      const bool together =
          workers_.units() > 1 && ready_.size() >= workers_.units() && !isHeavy(ready_.back()->launch);
      Command* const command = together ? nullptr : takeReady(false);
      lock.unlock();
      if (command)
        run(*command, workers_);
      else
        workers_.run([this] {
          const auto next = [this] {
            const std::lock_guard inside(mutex_);
            return takeReady(true);
          };
          while (Command* const each = next()) run(*each, one_);
        });
      lock.lock();
    }
    if (root_->unfinished != 0) giveUp();
  }
  for (const std::unique_ptr<Command>& command : all_) command->leaveQueue();
  return std::move(result_);
}

void ChildKernels::giveUp() {
  if (!result_) return;
  const auto unset = std::ranges::count_if(
      events_, [](const auto& event) { return event.second.isUser && event.second.status > CL_COMPLETE; });
  result_ = {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
             fmt::format("kernel '{}' enqueued {} command{} that never run{}: no kernel has set the status of {} user "
                         "event{} that they wait for",
                         rootLaunch_.info->name, all_.size(), all_.size() == 1 ? "" : "s", all_.size() == 1 ? "s" : "",
                         unset, unset == 1 ? "" : "s")};
}

}  // namespace clarity::device::cpu
