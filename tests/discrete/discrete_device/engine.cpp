// SPDX-License-Identifier: Apache-2.0
// This file starts operations in random order and runs them after random delays.
#include "engine.h"

#include "device/cpu/launch_run.h"
#include "operations.h"
#include "support/own_thread.h"
#include "support/process_end.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace clarity::discrete {
namespace {

using device::Submission;

constexpr unsigned threadCount = 3;

unsigned chooseSeed() {
  // A test's own variable, read by a library for tests alone: the driver reads none outside of core/config.cpp.
  if (const char* const given = std::getenv("CLARITY_TEST_SEED"))
    return static_cast<unsigned>(std::strtoul(given, nullptr, 10));
  const unsigned seed = std::random_device()();
  std::fprintf(stderr, "discrete test device: CLARITY_TEST_SEED=%u\n", seed);
  return seed;
}

}  // namespace

Engine::Engine() : random_(chooseSeed()) {}

Engine& Engine::get() {
  static Engine* const engine = new Engine;
  return *engine;
}

void Engine::startThreads() {
  if (process_ == getpid()) return;
  // A child of fork() has none of the threads that were waiting.
  if (process_ != 0) new (&changed_) std::condition_variable;
  if (process_ == 0) support::atProcessEnd(atExit);
  process_ = getpid();
  for (unsigned i = 0; i < threadCount; ++i) support::runOnOwnThread([this] { serve(); });
}

std::chrono::microseconds Engine::delay() {
  const unsigned kind = random_() % 10;
  const unsigned most = kind < 5 ? 1 : kind < 9 ? 100 : 1000;
  return std::chrono::microseconds(random_() % most);
}

void Engine::submit(const StreamState* stream, Submission& submission, device::Start start,
                    std::span<Submission* const> after) {
  const std::lock_guard lock(mutex_);
  startThreads();
  auto node = std::make_unique<Node>(Node{.submission = &submission,
                                          .stream = *stream,
                                          .streamId = stream,
                                          .held = start == device::Start::WhenNeeded,
                                          .waitsFor = 0,
                                          .dependents = {},
                                          .due = Clock::now() + delay()});
  for (Submission* const earlier : after) {
    const auto found = known_.find(earlier);
    if (found == known_.end()) continue;
    found->second->dependents.push_back(node.get());
    ++node->waitsFor;
  }
  // The place of one that is just ending may be an object's that has ended and whose memory this one has: replaced.
  known_[&submission] = node.get();
  waiting_.push_back(std::move(node));
  changed_.notify_one();
}

void Engine::release(const StreamState* stream) {
  const std::lock_guard lock(mutex_);
  for (const auto& node : waiting_)
    if (!stream || node->streamId == stream) node->held = false;
  changed_.notify_all();
}

std::unique_ptr<Engine::Node> Engine::take(Clock::time_point& next) {
  const Clock::time_point now = Clock::now();
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Node& node = *waiting_[i];
    if (node.held || node.waitsFor > 0) continue;
    if (node.due <= now)
      ready.push_back(i);
    else
      next = std::min(next, node.due);
  }
  if (ready.empty()) return nullptr;
  const std::size_t chosen = ready[random_() % ready.size()];
  std::unique_ptr<Node> node = std::move(waiting_[chosen]);
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
  return node;
}

void Engine::run(std::unique_ptr<Node> node, std::unique_lock<std::mutex>& lock) {
  Submission& submission = *node->submission;
  const auto late = delay();
  ++running_;
  lock.unlock();
  device::Times times;
  device::Result result = runOperation(submission, *node->stream.workers, node->stream.profiled, times);
  std::this_thread::sleep_for(late);
  submission.complete(std::move(result), times);  // which may destroy the submission and the stream
  lock.lock();
  --running_;
  if (const auto found = known_.find(&submission); found != known_.end() && found->second == node.get())
    known_.erase(found);
  for (Node* const dependent : node->dependents) --dependent->waitsFor;
  changed_.notify_all();
}

void Engine::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Clock::time_point next = Clock::now() + std::chrono::hours(1);
    std::unique_ptr<Node> node = exiting_ ? nullptr : take(next);
    if (node)
      run(std::move(node), lock);
    else
      changed_.wait_until(lock, next);
  }
}

void Engine::atExit() {
  Engine& engine = get();
  if (getpid() != engine.process_) return;
  std::unique_lock lock(engine.mutex_);
  engine.exiting_ = true;
  device::cpu::LaunchRun::endAll(true);
  engine.changed_.wait_for(lock, std::chrono::milliseconds(500), [&] { return engine.running_ == 0; });
  device::cpu::LaunchRun::endAll(false);
}

}  // namespace clarity::discrete
