// SPDX-License-Identifier: Apache-2.0
// This file takes what a node says.
#include "compiler/driver/compiler.h"
#include "device/cluster/cluster.h"
#include "device/cluster/encoder.h"
#include "device/cluster/node.h"
#include "device/cluster/process_look.h"
#include "device/cluster/protocol.h"
#include "device/cluster/remote_executable.h"
#include "device/host/printf.h"
#include "support/clock.h"

#include <CL/cl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cluster {
namespace {

// A node is asked for a sign of life, more often while commands are on their way.
constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t askBusy = second / 2, askIdle = 5 * second;
/// A node answers from a thread that no kernel occupies.
constexpr std::uint64_t patienceWithNode = 20 * second;

}  // namespace

void Node::received(std::span<const std::byte> frame) {
  lastHeard_.store(support::hostTime(), std::memory_order_relaxed);
  Reader from(frame);
  const Result result = guarded([&]() -> Result {
    while (!from.atEnd())
      if (!handle(from)) return {CL_INVALID_VALUE, "it sent what is no message"};
    return {};
  });
  drain();
  if (!result) cluster_.giveUp(*this, result.text);
}

bool Node::handle(Reader& from) {
  switch (from.get<ToHost>()) {
    case ToHost::Hello: return hello(from);
    case ToHost::Done: return done(from);
    case ToHost::Started: return started(from);
    case ToHost::Need: {
      const auto hash = from.get<std::array<std::uint64_t, 2>>();
      if (from.ok()) need(hash);
      return from.ok();
    }
    case ToHost::Printed: host::PrintfSink::writeToStandardOutput(from.text()); return from.ok();
    case ToHost::Answer: {
      const auto question = from.get<std::uint64_t>();
      const std::lock_guard lock(mutex_);
      answers_[question] = std::string(from.text());
      return from.ok();
    }
    case ToHost::Pong: {
      const auto asked = from.get<std::uint64_t>();
      clock_.add(asked, from.get<std::uint64_t>(), support::hostTime());
      pongs_.fetch_add(1, std::memory_order_release);
      return from.ok();
    }
  }
  return false;
}

bool Node::hello(Reader& from) {
  const auto theirs = from.get<std::uint32_t>();
  const std::string version(from.text());
  if (!from.ok()) return false;
  facts_.name = from.text();
  if (theirs != protocol || version != CLARITY_VERSION) {
    cluster_.giveUp(
        *this, fmt::format("it runs version {} of the driver, and the program version {}", version, CLARITY_VERSION));
    from = Reader(std::span<const std::byte>());
    return true;
  }
  from.get(facts_.process);
  from.get(facts_.processSpace);
  for (auto left = from.get<std::uint32_t>(); left != 0 && from.ok(); --left)
    readFacts(from, facts_.devices.emplace_back());
  if (!from.ok()) return false;
  hasFacts_.store(true, std::memory_order_release);
  post([&](Writer& to) {
    to.put(ToNode::Host).put<std::uint64_t>(static_cast<std::uint64_t>(::getpid())).put(cluster_.processSpace());
  });
  flush();
  return true;
}

bool Node::started(Reader& from) {
  const auto id = from.get<std::uint64_t>();
  Submission* submission = nullptr;
  {
    const std::lock_guard lock(mutex_);
    Pending* const pending = find(id);
    if (!pending || pending->isFinishing) return from.ok();
    pending->hasStarted = true;
    submission = pending->submission;
  }
  // It cannot end before this returns: its end comes behind this message.
  submission->started();
  return from.ok();
}

bool Node::done(Reader& from) {
  const auto id = from.get<std::uint64_t>();
  const auto code = from.get<std::int32_t>();
  const auto flags = from.get<std::uint8_t>();
  const auto times = flags & hasTimes ? from.get<Times>() : Times{};
  const std::string_view text = flags & hasText ? from.text() : std::string_view();
  const std::string_view content = flags & hasContent ? from.text() : std::string_view();
  if (!from.ok()) return false;
  const std::lock_guard lock(mutex_);
  Pending* const pending = find(id);
  if (!pending || pending->isFinishing) return isLost();
  pending->isFinishing = pending->ran = true;
  if (pending->result && code != 0) pending->result = {code, std::string(text)};
  if (flags & hasContent)
    pending->rows.assign(std::as_bytes(std::span(content)).begin(), std::as_bytes(std::span(content)).end());
  if (flags & hasTimes) {
    const std::uint64_t now = support::hostTime();
    const auto converted = [&](std::uint64_t theirs) {
      return theirs == 0 ? 0 : std::clamp(clock_.toHost(theirs), pending->submitted, now);
    };
    pending->times = {converted(times.started), converted(times.ended), converted(times.completed)};
  }
  finishing_.push_back(pending);
  return true;
}

void Node::offer(const std::shared_ptr<const compiler::CompiledProgram>& compiled, const compiler::Target& target) {
  if (isElsewhere()) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(offered_, [](const auto& each) { return each.second.compiled.expired(); });
  offered_[compiled->hash] = {compiled, target};
}

void Node::need(const std::array<std::uint64_t, 2>& hash) {
  Offer offer;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = offered_.find(hash); found != offered_.end()) offer = found->second;
  }
  // Without one it has been released, and nothing waits for it.
  const auto compiled = offer.compiled.lock();
  const std::string bytes = compiled ? compiler::serialise(*compiled, offer.target) : std::string();
  post([&](Writer& to) { to.put(ToNode::Program).put(hash).text(bytes); });
  flush();
}

void Node::askClock() {
  const std::uint64_t before = pongs_.load(std::memory_order_acquire);
  post([](Writer& to) { to.put(ToNode::Ping).put(support::hostTime()); });
  waitFor([&] { return pongs_.load(std::memory_order_acquire) != before; });
}

std::string Node::objection() {
  if (!facts() || isLost()) return {};
  const std::uint64_t now = support::hostTime();
  const bool isBusy = outstanding() != 0;
  // A process of this machine can be looked for.
  if (facts_.processSpace == cluster_.processSpace() && hasEnded(facts_.process))
    return fmt::format("its process {} has ended", facts_.process);
  const std::uint64_t asked = lastPing_.load(std::memory_order_relaxed);
  const std::uint64_t heard = lastHeard_.load(std::memory_order_relaxed);
  // It counts from a question that has gone since the last answer.
  if (asked > heard && now - asked > patienceWithNode && now - heard > patienceWithNode)
    return fmt::format("it has not answered for {} seconds", (now - heard) / second);
  if (asked > heard ? false : now - asked > (isBusy ? askBusy : askIdle)) {
    post([](Writer& to) { to.put(ToNode::Ping).put(support::hostTime()); });
    flush();
    // From now on, as another thread may have kept the node's lock for long, to read much memory.
    lastPing_.store(support::hostTime(), std::memory_order_relaxed);
  }
  return {};
}

}  // namespace clarity::device::cluster
