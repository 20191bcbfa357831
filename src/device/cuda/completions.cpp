// SPDX-License-Identifier: Apache-2.0
// This file reports when operations of a GPU have ended.
#include "device/cuda/completions.h"

#include "device/cpu/clock.h"
#include "device/executable.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// After so many operations without an event one gets one, so that a long queue ends piece by piece.
constexpr unsigned mostWithoutEvent = 16;
/// Between two questions of the thread that reports where no other thread waits.
constexpr auto pollPause = std::chrono::microseconds(50);
/// A thread that waits asks without pause for so long before it sleeps until the event comes.
constexpr auto longSpin = std::chrono::microseconds(200);
/// The driver gives the time between two events in milliseconds as a float: after so many of them, to a tenth of a
/// microsecond, times count from a later event.
constexpr float mostMilliseconds = 1000;

}  // namespace

Completions::Completions(std::shared_ptr<const Gpu> gpu)
    : gpu_(std::move(gpu)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

Completions::~Completions() {
  thread_.request_stop();
  changed_.notify_all();
}

CuEvent Completions::event(bool timed) {
  const std::lock_guard lock(mutex_);
  return takeEvent(timed);
}

CuEvent Completions::takeEvent(bool timed) {
  auto& idle = idleEvents_[timed];
  CuEvent event = nullptr;
  if (idle.empty()) {
    (void)driver().eventCreate(&event, cuEventBlockingSync | (timed ? 0 : cuEventDisableTiming));
  } else {
    event = idle.back();
    idle.pop_back();
  }
  return event;
}

bool Completions::registerSubmission(const Submission& submission, CuStream stream, std::span<Submission* const> after,
                                     TicketRef& ticket, Tickets& tickets) {
  ticket = std::make_shared<Ticket>();
  ticket->stream = stream;
  const std::lock_guard lock(mutex_);
  bool allGiven = true;
  for (const Submission* earlier : after) {
    const auto found = tickets_.find(earlier);
    if (found == tickets_.end()) continue;
    allGiven &= found->second->given;
    tickets.push_back(found->second);
  }
  tickets_[&submission] = ticket;
  return allGiven;
}

void Completions::order(CuStream stream, const Tickets& after) {
  std::unique_lock lock(mutex_);
  for (const TicketRef& earlier : after) {
    changed_.wait(lock, [&] { return earlier->given; });
    if (earlier->stream == stream || earlier->ended) continue;
    const auto found = queues_.find(earlier->stream);
    if (found == queues_.end()) continue;  // its last operation has ended, and the stream with it
    Queue& queue = *found->second;
    // An event at or behind the place answers for it.
    auto at =
        std::ranges::lower_bound(queue.pending, earlier->place, {}, [](const Pending& p) { return p.ticket->place; });
    if (at == queue.pending.end()) continue;  // the GPU has done it
    at = std::find_if(at, queue.pending.end(), [](const Pending& p) { return p.end != nullptr; });
    if (at == queue.pending.end()) mark(queue, *--at);
    (void)driver().streamWaitEvent(stream, at->end, 0);
  }
}

void Completions::mark(Queue& queue, Pending& pending) {
  pending.end = takeEvent(false);
  (void)driver().eventRecord(pending.end, queue.stream);
  queue.withoutEvent = 0;
}

void Completions::add(Pending pending) {
  {
    const std::lock_guard lock(mutex_);
    QueueRef& queue = queues_[pending.ticket->stream];
    if (!queue) {
      queue = std::make_shared<Queue>();
      queue->stream = pending.ticket->stream;
    }
    pending.ticket->place = queue->next++;
    pending.ticket->given = true;
    queue->pending.push_back(std::move(pending));
    if (queue->pending.back().end)
      queue->withoutEvent = 0;
    else if (++queue->withoutEvent >= mostWithoutEvent)
      mark(*queue, queue->pending.back());
    ++count_;
  }
  changed_.notify_all();
}

Completions::Marker Completions::markerOf(Queue& queue) {
  auto at = std::ranges::find_if(queue.pending, [](const Pending& p) { return p.end != nullptr; });
  if (at == queue.pending.end()) mark(queue, *--at);
  return {at->end, at->ticket->place};
}

std::vector<Completions::Pending> Completions::takeReady(Queue& queue) {
  std::vector<Pending> taken;
  const auto mayEnd = [&](const TicketRef& earlier) {
    const bool inFront =
        !taken.empty() && earlier->stream == queue.stream && earlier->place >= taken.front().ticket->place;
    return earlier->ended || inFront;
  };
  while (!queue.pending.empty()) {
    Pending& front = queue.pending.front();
    if (front.ticket->place > queue.readyUpTo || !std::ranges::all_of(front.after, mayEnd)) break;
    taken.push_back(std::move(front));
    queue.pending.pop_front();
  }
  count_ -= taken.size();
  return taken;
}

bool Completions::reportReady(Queue& queue, std::unique_lock<std::mutex>& lock) {
  std::vector<Pending> ready = takeReady(queue);
  if (ready.empty()) return false;
  // One lock for all of them: the threads that submit take it, too.
  lock.unlock();
  for (Pending& pending : ready) report(pending);
  lock.lock();
  for (const Pending& pending : ready) {
    pending.ticket->ended = true;
    // Another submission may have the address by now.
    const auto found = tickets_.find(pending.submission);
    if (found != tickets_.end() && found->second == pending.ticket) tickets_.erase(found);
    if (pending.end) idleEvents_[pending.timed].push_back(pending.end);
    if (pending.begin) idleEvents_[1].push_back(pending.begin);
  }
  changed_.notify_all();
  return true;
}

Result Completions::failed(const Submission& submission, CuResult failure) {
  // The error is that of the context, which every later call reports too: the first that is seen has the cause.
  const auto* launch = std::get_if<Launch>(submission.operation);
  const std::string what = launch ? fmt::format("kernel '{}' failed", launch->info->name) : "a transfer failed";
  Result result = resultOf(failure, what);
  gpu_->lose(result.text);
  return result;
}

Times Completions::timesOf(const Pending& pending) {
  const std::lock_guard lock(clockMutex_);
  float began = 0, took = 0;
  if (!clockEvent_) {
    // The first operation is taken to have ended just now.
    (void)driver().eventCreate(&clockEvent_, cuEventDefault);
    (void)driver().eventRecord(clockEvent_, pending.ticket->stream);
    (void)driver().eventSynchronize(clockEvent_);
    clockTime_ = cpu::hostTime();
  }
  const bool known = driver().eventElapsedTime(&began, clockEvent_, pending.begin) == 0 &&
                     driver().eventElapsedTime(&took, pending.begin, pending.end) == 0;
  if (!known) return {pending.submitted, cpu::hostTime()};
  const auto nanoseconds = [](float milliseconds) { return static_cast<std::int64_t>(double{milliseconds} * 1e6); };
  Times times;
  times.started = std::max(clockTime_ + static_cast<std::uint64_t>(nanoseconds(began)), pending.submitted);
  times.ended = times.started + static_cast<std::uint64_t>(nanoseconds(took));
  if (began > mostMilliseconds) {
    CuEvent later = nullptr;
    float step = 0;
    (void)driver().eventCreate(&later, cuEventDefault);
    (void)driver().eventRecord(later, pending.ticket->stream);
    (void)driver().eventSynchronize(later);
    if (driver().eventElapsedTime(&step, clockEvent_, later) == 0) {
      clockTime_ += static_cast<std::uint64_t>(nanoseconds(step));
      std::swap(clockEvent_, later);
    }
    (void)driver().eventDestroy(later);
  }
  return times;
}

void Completions::report(Pending& pending) {
  Result result = std::move(pending.failure);
  if (result)
    if (const CuResult failure = pending.end ? driver().eventQuery(pending.end) : 0)
      result = failed(*pending.submission, failure);
  if (result) result = gpu_->state();
  if (result && pending.afterwards) result = pending.afterwards();
  pending.afterwards = nullptr;
  pending.submission->complete(std::move(result), pending.begin ? timesOf(pending) : Times{});
}

void Completions::waitFor(const Submission& awaited) {
  gpu_->use();
  std::unique_lock lock(mutex_);
  const auto found = tickets_.find(&awaited);
  if (found == tickets_.end() || !found->second->given) return;
  const TicketRef ticket = found->second;
  const auto stream = queues_.find(ticket->stream);
  if (stream == queues_.end()) return;  // its last operation has ended, and the stream with it
  const QueueRef queue = stream->second;
  ++queue->waiters;
  while (!ticket->ended) {
    if (reportReady(*queue, lock)) continue;
    if (queue->pending.empty() || queue->pending.front().ticket->place <= queue->readyUpTo) {
      // Another thread is reporting it, or what it comes after.
      changed_.wait_for(lock, pollPause);
      continue;
    }
    const Marker marker = markerOf(*queue);
    lock.unlock();
    const auto since = Clock::now();
    while (driver().eventQuery(marker.event) == cuNotReady)
      if (Clock::now() - since > longSpin) {
        (void)driver().eventSynchronize(marker.event);
        break;
      }
    lock.lock();
    queue->readyUpTo = std::max(queue->readyUpTo, marker.place);
  }
  --queue->waiters;
}

void Completions::forget(CuStream stream) {
  const std::lock_guard lock(mutex_);
  queues_.erase(stream);
}

void Completions::serve(const std::stop_token& stop) {
  gpu_->use();
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    changed_.wait(lock, stop, [&] { return count_ > 0; });
    std::vector<QueueRef> queues;
    for (const auto& [stream, queue] : queues_)
      if (!queue->pending.empty() && queue->waiters == 0) queues.push_back(queue);
    bool any = false;
    for (const QueueRef& queue : queues) {
      any |= reportReady(*queue, lock);
      if (queue->pending.empty() || queue->waiters != 0 || queue->pending.front().ticket->place <= queue->readyUpTo)
        continue;
      const Marker marker = markerOf(*queue);
      lock.unlock();
      const bool ready = driver().eventQuery(marker.event) != cuNotReady;
      lock.lock();
      if (!ready) continue;
      queue->readyUpTo = std::max(queue->readyUpTo, marker.place);
      any |= reportReady(*queue, lock);
    }
    queues.clear();
    if (any) continue;
    lock.unlock();
    std::this_thread::sleep_for(pollPause);
    lock.lock();
  }
}

}  // namespace clarity::device::cuda
