// SPDX-License-Identifier: Apache-2.0
// This file keeps the threads that execute launches which can be ended, and sends them the request.
#include "device/cpu/running_launches.h"

#include "support/fault_guard.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace clarity::device::cpu {
namespace {

struct Running {
  pthread_t thread;
  const std::atomic<bool>* ended;
};

struct List {
  std::mutex mutex;
  std::vector<Running> threads;
};

/// Never destroyed: launches may run until the process is gone.
List& list() {
  static List* const all = new List;
  return *all;
}

}  // namespace

void RunningLaunch::add() {
  const std::lock_guard lock(list().mutex);
  list().threads.push_back({pthread_self(), ended_});
}

void RunningLaunch::remove() {
  // A thread is sent no request any more when this has returned: it is in the list then, and the lock is held.
  const std::lock_guard lock(list().mutex);
  auto& threads = list().threads;
  const auto found = std::ranges::find_if(
      threads, [&](const Running& each) { return pthread_equal(each.thread, pthread_self()) && each.ended == ended_; });
  *found = threads.back();
  threads.pop_back();
}

void RunningLaunch::endAll(const std::atomic<bool>& ended) {
  using namespace std::chrono_literals;
  const auto patience = std::chrono::steady_clock::now() + 5s;
  while (std::chrono::steady_clock::now() < patience) {
    {
      const std::lock_guard lock(list().mutex);
      bool any = false;
      for (const Running& each : list().threads) {
        if (each.ended != &ended) continue;
        any = true;
        // A request that finds the thread outside of the kernel's code, in printf for example, is lost.
        support::FaultGuard::requestEnd(each.thread);
      }
      if (!any) return;
    }
    std::this_thread::sleep_for(500us);
  }
}

}  // namespace clarity::device::cpu
