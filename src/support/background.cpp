// SPDX-License-Identifier: Apache-2.0
// This file counts the background threads, so that the process waits for them before it ends.
#include "support/background.h"

#include "support/own_thread.h"
#include "support/process_end.h"
#include "support/thread_end.h"

#include <pthread.h>
#include <unistd.h>
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace clarity::support {
namespace {

/// Never destroyed: threads use it until the process ends.
struct Running {
  pid_t process = ::getpid();
  std::mutex mutex;
  std::condition_variable idle;
  std::size_t count = 0;    ///< threads
  std::size_t helpers = 0;  ///< those among them that execute the work in `waiting`
  std::deque<std::function<void()>> waiting;
  bool ending = false;
};

constinit thread_local bool isBackground = false;

Running& running();

/// A child of fork() has none of the threads but the one that forked.
void forgetThreads() {
  Running& all = running();
  new (&all.idle) std::condition_variable;
  all.process = ::getpid();
  all.count = isBackground ? 1 : 0;
  all.helpers = 0;
  all.mutex.unlock();
}

Running& running() {
  static Running* const instance = [] {
    auto* const made = new Running;
    ::pthread_atfork([] { running().mutex.lock(); }, [] { running().mutex.unlock(); }, forgetThreads);
    waitBeforeObjectsGo();  // work may call the application, whose static objects are destroyed next
    return made;
  }();
  return *instance;
}

void waitForAll() {
  Running& all = running();
  if (::getpid() != all.process) return;  // a child that was made without fork()
  std::unique_lock lock(all.mutex);
  all.ending = true;
  all.idle.wait(lock, [&] { return all.count == 0; });
}

/// Counts one thread less.
void ended(Running& all) {
  const std::lock_guard lock(all.mutex);
  --all.count;
  all.idle.notify_all();
}

/// Work for which memory is wanting is given up: what it was for is done, or fails, where it is needed.
void attempt(std::function<void()>& work) noexcept {
  try {
    work();
  } catch (const std::exception&) {
  }
  work = nullptr;  // its captures are destroyed before the end is reported
}

/// Starts a thread that counts as running. False if the system has no thread or no memory left.
bool start(Running& all, std::function<void()> work) {
  {
    const std::lock_guard lock(all.mutex);
    ++all.count;
  }
  try {
    runOnOwnThread([work = std::move(work), &all]() mutable {
      // Registered first and so called last: from then on the thread does not count. (notify_all_at_thread_exit depends
      // on an object of the library that is itself destroyed when the process ends.)
      const bool noticed = atThreadEnd([](void* running) { ended(*static_cast<Running*>(running)); }, &all);
      isBackground = true;
      attempt(work);
      if (!noticed) ended(all);
    });
    return true;
  } catch (const std::exception&) {
    ended(all);
    return false;
  }
}

void help(Running& all) {
  std::unique_lock lock(all.mutex);
  while (!all.waiting.empty() && !all.ending) {
    std::function<void()> work = std::move(all.waiting.front());
    all.waiting.pop_front();
    lock.unlock();
    attempt(work);
    lock.lock();
  }
  --all.helpers;
}

}  // namespace

void waitBeforeObjectsGo() { atProcessEnd(waitForAll); }

bool waitBeforeForks(void (*wait)()) {
  running();  // registered earlier, it is locked after `wait` has returned
  return ::pthread_atfork(wait, nullptr, nullptr) == 0;
}

ProcessEndDelay::ProcessEndDelay() {
  Running& all = running();
  const std::lock_guard lock(all.mutex);
  ++all.count;
}

ProcessEndDelay::~ProcessEndDelay() { ended(running()); }

void runInBackground(std::function<void()> work) {
  if (!start(running(), work)) work();
}

void runWhenIdle(std::function<void()> work) {
  static const std::size_t mostHelpers = std::max(1u, std::thread::hardware_concurrency());
  Running& all = running();
  {
    const std::lock_guard lock(all.mutex);
    if (all.ending) return;
    all.waiting.push_back(std::move(work));
    if (all.helpers >= mostHelpers) return;
    ++all.helpers;
  }
  if (start(all, [&all] { help(all); })) return;
  std::deque<std::function<void()>> dropped;  // destroyed after the lock is released
  const std::lock_guard lock(all.mutex);
  if (--all.helpers == 0) dropped.swap(all.waiting);
}

}  // namespace clarity::support
