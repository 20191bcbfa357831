// SPDX-License-Identifier: Apache-2.0
// This file waits on one thread for all payloads that other processes may signal.
#include "sched/external_payload.h"

#include "core/error.h"
#include "sched/event.h"
#include "support/own_thread.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <list>
#include <mutex>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::sched {

std::unique_ptr<ExternalPayload> ExternalPayload::create() {
  const int descriptor = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return descriptor < 0 ? nullptr : std::unique_ptr<ExternalPayload>(new ExternalPayload(descriptor));
}

std::unique_ptr<ExternalPayload> ExternalPayload::import(int descriptor, std::string& why) {
  std::array<char, 64> name{};
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  const ssize_t length = ::readlink(link.c_str(), name.data(), name.size());
  if (length < 0 || std::string_view(name.data(), static_cast<std::size_t>(length)) != "anon_inode:[eventfd]") {
    why = fmt::format("descriptor {} is not that of a semaphore", descriptor);
    return nullptr;
  }
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (!(flags & O_NONBLOCK)) ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  return std::unique_ptr<ExternalPayload>(new ExternalPayload(descriptor));
}

ExternalPayload::~ExternalPayload() { ::close(descriptor_); }

int ExternalPayload::duplicate() const { return ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); }

void ExternalPayload::signal() const noexcept {
  const std::uint64_t one = 1;
  // It fails only where there are 2^64 - 2 signals already.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
}

bool ExternalPayload::take() const noexcept {
  std::uint64_t count = 0;
  return ::read(descriptor_, &count, sizeof count) == sizeof count;
}

bool ExternalPayload::isSignaled() const noexcept {
  pollfd asked{descriptor_, POLLIN, 0};
  return ::poll(&asked, 1, 0) == 1 && (asked.revents & POLLIN);
}

namespace {

struct Waiting {
  std::shared_ptr<const ExternalPayload> payload;
  RefPtr<Event> event;
};

/// The thread that waits, and what it waits for. Never destroyed: its thread lives until the process has ended.
class Waiter {
public:
  static Waiter& get() {
    static Waiter* const waiter = new Waiter;
    return *waiter;
  }

  void add(Waiting waiting) {
    {
      const std::lock_guard lock(mutex_);
      start();
      waiting_.push_back(std::move(waiting));
    }
    changed_->signal();
  }

  void stop(const core::Context& context) {
    submit([&](std::list<Waiting>& stopped) {
      for (auto each = waiting_.begin(); each != waiting_.end();) {
        const auto next = std::next(each);
        if (&each->event->context() == &context) stopped.splice(stopped.end(), waiting_, each);
        each = next;
      }
    });
  }

private:
  // A child of fork() has no such thread. Its waits were its parent's.
  Waiter() {
    ::pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); },
                     [] {
                       get().waiting_.clear();
                       get().changed_.reset();
                       get().mutex_.unlock();
                     });
  }

  /// Call with mutex_ locked.
  void start() {
    if (changed_) return;
    std::unique_ptr<ExternalPayload> changed = ExternalPayload::create();
    core::failIf(!changed, CL_OUT_OF_RESOURCES, "no file descriptor for the thread that waits for external semaphores");
    changed_ = std::move(changed);
    try {
      support::runOnOwnThread([this] { run(); });
    } catch (const std::system_error& error) {
      changed_.reset();
      core::fail(CL_OUT_OF_RESOURCES, "no thread that waits for external semaphores: {}", error.what());
    }
  }

  void run() {
    for (;;) {
      if (!waitForSignal()) {
        // The payloads cannot be asked about together: they are looked at now and then.
        constexpr int lookEveryMilliseconds = 5;
        pollfd own{changed_->descriptor(), POLLIN, 0};
        ::poll(&own, 1, lookEveryMilliseconds);
      }
      changed_->take();
      submit([&](std::list<Waiting>& ready) { takeSignaled(ready); });
    }
  }

  /// Returns when a payload may be signaled, or when something else is waited for. False: that cannot be waited for, as
  /// the system asks about no more descriptors than a process may have at the time, there is no memory, or a descriptor
  /// has been closed by others.
  bool waitForSignal() noexcept {
    try {
      std::vector<pollfd> asked;
      std::set<std::shared_ptr<const ExternalPayload>> kept;  // while their descriptors are asked about
      {
        const std::lock_guard lock(mutex_);
        asked.push_back({changed_->descriptor(), POLLIN, 0});
        for (const Waiting& each : waiting_)
          if (kept.insert(each.payload).second) asked.push_back({each.payload->descriptor(), POLLIN, 0});
      }
      if (::poll(asked.data(), asked.size(), -1) < 0) return errno == EINTR;
      return std::ranges::none_of(asked, [](const pollfd& each) { return each.revents & ~POLLIN; });
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  /// Moves what can go on to `ready`. A signal that arrives while later waits are asked about belongs to the first one
  /// for its payload. Call with mutex_ locked. Allocates nothing.
  void takeSignaled(std::list<Waiting>& ready) {
    for (auto each = waiting_.begin(); each != waiting_.end();) {
      const auto next = std::next(each);
      if (each->payload->take()) {
        const auto first =
            std::find_if(waiting_.begin(), each, [&](const Waiting& other) { return other.payload == each->payload; });
        ready.splice(ready.end(), waiting_, first);
      }
      each = next;
    }
  }

  /// Submits the events that `collect` moves to its argument, once mutex_ is free again.
  template <class Collect>
  void submit(const Collect& collect) {
    std::list<Waiting> ready;
    {
      const std::lock_guard lock(mutex_);
      collect(ready);
    }
    for (const Waiting& each : ready) each.event->submit();
  }

  std::mutex mutex_;                          ///< guards what follows
  std::list<Waiting> waiting_;                ///< in the order in which they were enqueued
  std::unique_ptr<ExternalPayload> changed_;  ///< wakes the thread, which there is if this is not null
};

}  // namespace

void submitWhenSignaled(std::shared_ptr<const ExternalPayload> payload, Event& event) {
  Waiter::get().add({std::move(payload), RefPtr<Event>(&event)});
}

void stopWaiting(const core::Context& context) { Waiter::get().stop(context); }

}  // namespace clarity::sched
