// SPDX-License-Identifier: Apache-2.0
// This file is the life of a node: from its first word to the end of the program.
#include "device/cluster/server/server.h"

#include "device/cluster/backoff.h"
#include "device/cluster/device_message.h"
#include "device/cluster/process_look.h"
#include "device/host/printf.h"
#include "support/clock.h"
#include "support/own_thread.h"

#include <CL/cl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace clarity::device::cluster::server {

using namespace std::chrono_literals;
using cluster::ToHost;

namespace {

constexpr std::uint64_t second = 1'000'000'000;
/// The host says something every few seconds.
constexpr std::uint64_t patience = 60 * second;
/// Nanoseconds that a node stays awake after a message.
constexpr std::uint64_t awake = 200'000;
/// Ends of commands are collected for so long, and so many of them.
constexpr std::uint64_t collectFor = 30'000;
constexpr std::uint32_t collectMost = 24;

/// Where output of kernels goes.
std::atomic<Server*> printing{nullptr};

/// Never ends: a thread helps with it as long as there is something to do.
class NeverEnds final : public Submission {
public:
  void started() noexcept override {}
  void complete(Result, const Times&) noexcept override {}
  bool ended() const noexcept override { return false; }
};

thread_local bool isServing = false, isHelping = false;

}  // namespace

Server::Server(std::unique_ptr<cluster::Transport> transport, std::vector<std::unique_ptr<Device>> devices,
               bool sendsOutput)
    : transport_(std::move(transport)), objects_(std::move(devices)), sendsOutput_(sendsOutput) {
  if (!sendsOutput_) return;
  printing.store(this);
  host::PrintfSink::redirect([](std::string_view text) {
    if (Server* const server = printing.load()) server->print(text);
  });
}

Server::~Server() {
  if (!sendsOutput_) return;
  host::PrintfSink::redirect(nullptr);
  printing.store(nullptr);
}

void Server::print(std::string_view text) {
  say([&](Writer& to) { to.put(ToHost::Printed).text(text); }, false);
}

void Server::sayHello() {
  char name[256] = {};
  (void)::gethostname(name, sizeof name - 1);
  say(
      [&](Writer& to) {
        to.put(ToHost::Hello).put(cluster::protocol).text(CLARITY_VERSION).text(name);
        to.put<std::uint64_t>(static_cast<std::uint64_t>(::getpid())).put(cluster::processSpaceOfThisProcess());
        to.put(static_cast<std::uint32_t>(objects_.roots()));
        for (std::uint32_t i = 0; i < objects_.roots(); ++i) {
          const Device& device = *objects_.device(i);
          cluster::writeFacts(to, {device.properties(), device.target()});
        }
      },
      true);
}

void Server::begin() {
  heard_.store(support::hostTime());
  sayHello();
}

bool Server::carryOn() {
  bool any = transport_->progress(*this);
  any = helpStreams() || any;
  flushSaid();
  return any;
}

std::string Server::serve(void (*stuck)()) {
  stuck_ = stuck;
  isServing = true;
  begin();
  std::thread assistant;
  // Without a thread, messages wait while this one executes kernels.
  (void)guarded([&] {
    const support::OwnThreadSignals signals;
    assistant = std::thread([this] { assist(); });
  });
  cluster::Backoff backoff(*transport_, awake);
  while (!ends_.load(std::memory_order_acquire)) {
    const bool any = carryOn();
    lookForHost();
    any ? backoff.begin() : backoff.pause();
  }
  if (assistant.joinable()) assistant.join();
  while (aside_.load(std::memory_order_acquire) != 0) std::this_thread::sleep_for(1ms);
  isServing = false;
  const std::lock_guard lock(mutex_);
  return why_;
}

void Server::stop(std::string_view why) {
  const std::lock_guard lock(mutex_);
  if (!ends_.exchange(true)) why_ = why;
}

void Server::lookForHost() {
  const std::uint64_t now = support::hostTime();
  std::uint64_t looked = looked_.load(std::memory_order_relaxed);
  if (now - looked < second || !looked_.compare_exchange_strong(looked, now)) return;
  if (const std::uint64_t process = hostProcess_.load(); process != 0 && cluster::hasEnded(process))
    stop(fmt::format("the program, process {}, has ended without a word", process));
  else if (now - heard_.load() > patience)
    stop(fmt::format("the program has not been heard of for {} seconds", patience / second));
}

void Server::aside(std::function<void()> work) {
  aside_.fetch_add(1, std::memory_order_relaxed);
  const auto whole = [this, work = std::move(work)] {
    (void)guarded(work);
    aside_.fetch_sub(1, std::memory_order_release);
  };
  if (!guarded([&] { support::runOnOwnThread(whole); })) whole();
}

void Server::assist() {
  while (!ends_.load(std::memory_order_acquire)) {
    std::this_thread::sleep_for(1ms);
    for (;;) {
      const std::uint64_t since = helpingSince_.load(std::memory_order_relaxed);
      if (since == 0 || support::hostTime() - since < 300'000) break;
      if (!transport_->progress(*this)) std::this_thread::sleep_for(50us);
      flushSaid();
      lookForHost();
      if (ends_.load(std::memory_order_acquire)) break;
    }
  }
  const auto until = support::hostTime() + second;
  while (helpingSince_.load() != 0 && support::hostTime() < until) std::this_thread::sleep_for(1ms);
  if (!stuck_ || helpingSince_.load() == 0) return;
  transport_->leave();
  stuck_();
}

bool Server::helpStreams() {
  if (helped_.empty()) return false;
  NeverEnds never;
  while (!helped_.empty()) {
    const auto streams = std::exchange(helped_, {});
    helpingSince_.store(support::hostTime(), std::memory_order_relaxed);
    isHelping = true;
    for (const auto& stream : streams) stream->stream->help(never);
    isHelping = false;
    helpingSince_.store(0, std::memory_order_relaxed);
  }
  return true;
}

void Server::submitLocally(Submission& submission, const std::shared_ptr<LocalStream>& stream) {
  // A stream that this thread helps keeps what it is given; others have threads of their own.
  const bool isLater = isServing && stream->isHelped && !isHelping;
  if (isLater && (helped_.empty() || helped_.back() != stream)) helped_.push_back(stream);
  Stream& local = *stream->stream;
  const bool isHelped = stream->isHelped;
  local.submit(submission, isLater ? Start::WhenNeeded : Start::AtOnce, {});  // which may end the task
  if (!isHelped) local.flush();
}

void Server::sendSaid() {
  if (says_.empty()) return;
  said_ = 0;
  transport_->send(0, says_.take());
}

void Server::flushSaid() {
  const std::lock_guard lock(mutex_);
  sendSaid();
}

void Server::hasStarted(const Task& task) {
  if (task.id != 0) say([&](Writer& to) { to.put(ToHost::Started).put(task.id); }, false);
}

void Server::ended(Task& task, Result result, const Times& times, std::span<const std::byte> content) {
  std::unique_ptr<Task> own;
  {
    const std::lock_guard lock(mutex_);
    if (task.id == 0) {
      const auto found = std::ranges::find(nameless_, &task, &std::unique_ptr<Task>::get);
      if (found == nameless_.end()) return;
      own = std::move(*found);
      nameless_.erase(found);
      return;
    }
    own = std::move(tasks_[task.id & 0xFFFF'FFFF]);
    const bool hasText = !result && !result.text.empty();
    says_.put(ToHost::Done).put(task.id).put(result.code);
    says_.put(static_cast<std::uint8_t>((task.isTimed ? cluster::hasTimes : 0) | (hasText ? cluster::hasText : 0) |
                                        (content.empty() ? 0 : cluster::hasContent)));
    if (task.isTimed) says_.put(times);
    if (hasText) says_.text(result.text);
    if (!content.empty()) says_.put<std::uint64_t>(content.size()).bytes(content);
    std::erase_if(task.dependents, [](Task* const dependent) { return --dependent->waits != 0; });
    const std::uint64_t now = support::hostTime();
    if (said_++ == 0) saidFirst_ = now;
    // The thread that serves sends when it has nothing else to do.
    if (!isServing || said_ >= collectMost || now - saidFirst_ > collectFor) sendSaid();
  }
  for (Task* const each : own->dependents) run(*each);
}

void Server::run(Task& task) {
  // Not by recursion: chains are long.
  thread_local std::vector<Task*>* running = nullptr;
  if (running) return running->push_back(&task);
  std::vector<Task*> own{&task};
  running = &own;
  for (std::size_t i = 0; i < own.size(); ++i) execute(*own[i]);
  running = nullptr;
}

void Server::lost(unsigned rank, std::string_view why) noexcept {
  if (rank == 0) stop(why);
}

}  // namespace clarity::device::cluster::server
