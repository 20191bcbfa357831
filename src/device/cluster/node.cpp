// SPDX-License-Identifier: Apache-2.0
// This file sends commands to a node and reports their ends.
#include "device/cluster/node.h"

#include "device/cluster/cluster.h"
#include "device/cluster/encoder.h"
#include "device/cluster/protocol.h"
#include "device/cluster/remote_executable.h"
#include "support/clock.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cluster {
namespace {

// A frame goes when it is this long: the node begins while the host goes on.
constexpr std::size_t longFrame = 6u << 10;
constexpr std::uint32_t manyCommands = 24;

constexpr std::chrono::seconds patienceWithLaunches{4};

}  // namespace

std::string Node::describe() const {
  return facts() ? fmt::format("node '{}' (rank {})", facts_.name, rank_) : fmt::format("rank {}", rank_);
}

Result Node::state() const {
  if (!isLost()) return {};
  const std::lock_guard lock(mutex_);
  return {CL_DEVICE_NOT_AVAILABLE, fmt::format("{} is not available: {}", describe(), why_)};
}

void Node::sendNow() {
  if (out_.empty() || isLost()) return;
  inFrame_ = 0;
  cluster_.transport().send(rank_, out_.take());
}

void Node::sendIfLong() {
  if (out_.size() >= longFrame || inFrame_ >= manyCommands) sendNow();
}

bool Node::isElsewhere() const { return cluster_.isElsewhere(); }

void Node::flush() {
  if (isElsewhere()) return;
  const std::lock_guard lock(mutex_);
  sendNow();
}

Pending& Node::newPending(Submission& submission) {
  if (free_.empty()) {
    free_.reserve(pendings_.size() + 1);
    pendings_.push_back(std::make_unique<Pending>(*this));
    free_.push_back(static_cast<std::uint32_t>(pendings_.size() - 1));
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  Pending& pending = *pendings_[place];
  pending.id = std::uint64_t{++generation_} << 32 | place;
  pending.submission = &submission;
  pending.submitted = support::hostTime();
  submission.link.place = pending.id;
  outstanding_.fetch_add(1, std::memory_order_seq_cst);
  return pending;
}

Pending* Node::find(std::uint64_t id) {
  const std::uint64_t place = id & 0xFFFF'FFFF;
  return place < pendings_.size() && pendings_[place]->id == id ? pendings_[place].get() : nullptr;
}

void Node::submit(std::uint32_t stream, bool profiled, Submission& submission, Start start,
                  std::span<Submission* const> after) {
  if (isElsewhere())
    return submission.complete(
        {CL_DEVICE_NOT_AVAILABLE, fmt::format("{} is not available to a process that was forked", describe())}, {});
  Encoder::simplify(*submission.operation);
  bool failed = false;
  {
    const std::lock_guard lock(mutex_);
    Pending& pending = newPending(submission);
    pending.stream = stream;
    pending.profiled = profiled && submission.timed;
    pending.after.clear();
    for (const Submission* const each : after)
      if (find(each->link.place)) pending.after.push_back(each->link.place);
    if (isLost()) {
      pending.result = {CL_DEVICE_NOT_AVAILABLE, fmt::format("{} is not available: {}", describe(), why_)};
      pending.isFinishing = true;
      finishing_.push_back(&pending);
      failed = true;
    } else if (mustWait(pending)) {
      pending.isHeld = true;
      held_.push_back(&pending);
    } else {
      issue(pending);
      start == Start::AtOnce ? sendNow() : sendIfLong();
    }
  }
  if (failed) drain();
  cluster_.wake();
}

void Node::issue(Pending& pending) {
  const std::size_t before = out_.size();
  Result result = guarded([&] { return Encoder(*this, pending, out_).encode(*pending.submission->operation); });
  if (!result) {
    // Its end comes in its turn, with this result.
    pending.result = std::move(result);
    out_.cut(before);
    Encoder(*this, pending, out_).encodeNothing();
  }
  ++inFrame_;
  hostWritten_.add(pending.writes);
}

bool Node::mustWait(const Pending& pending) const {
  if (hostWritten_.overlap(Encoder::hostRead(*pending.submission->operation))) return true;
  if (held_.empty()) return false;
  return std::ranges::any_of(pending.after, [&](std::uint64_t id) {
    const Pending* const earlier = const_cast<Node*>(this)->find(id);
    return earlier && earlier->isHeld && earlier != &pending;
  });
}

void Node::releaseHeld() {
  bool any = false;
  for (std::size_t i = 0; i < held_.size();) {
    Pending& pending = *held_[i];
    pending.isHeld = false;
    if (mustWait(pending)) {
      pending.isHeld = true;
      ++i;
      continue;
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    issue(pending);
    any = true;
  }
  if (any) sendNow();
}

void Pending::moved(bool whole) noexcept {
  if (!whole) isCut.store(true, std::memory_order_relaxed);
  if (parts.fetch_sub(1, std::memory_order_acq_rel) == 1) node.drain();
}

void Node::drain() {
  std::unique_lock lock(mutex_);
  if (draining_) return;
  draining_ = true;
  while (!finishing_.empty() && finishing_.front()->parts.load(std::memory_order_acquire) == 0) {
    Pending& pending = *finishing_.front();
    finishing_.pop_front();
    finish(pending, lock);
  }
  draining_ = false;
}

void Node::finish(Pending& pending, std::unique_lock<std::mutex>& lock) {
  Submission& submission = *pending.submission;
  Result result = std::move(pending.result);
  if (result && pending.isCut.load(std::memory_order_relaxed))
    result = {CL_DEVICE_NOT_AVAILABLE, fmt::format("content from or for {} has not come", describe())};
  const Times times = pending.times;
  const bool isNews = pending.ran && !pending.hasStarted;
  lock.unlock();
  if (result) result = Encoder::conclude(pending, *submission.operation);
  lock.lock();
  hostWritten_.remove(pending.writes);
  inside_ -= std::exchange(pending.inside, 0);
  const auto place = static_cast<std::uint32_t>(pending.id);
  pending.id = 0;
  pending.result = {};
  pending.times = {};
  pending.writes = {};
  pending.isCut.store(false, std::memory_order_relaxed);
  pending.ran = pending.hasStarted = pending.isFinishing = pending.isHeld = false;
  pending.endFlag = nullptr;
  if (pending.rows.capacity() > mostInside) pending.rows = {};
  free_.push_back(place);
  if (!held_.empty()) releaseHeld();
  lock.unlock();
  if (isNews) submission.started();
  submission.complete(std::move(result), times);
  outstanding_.fetch_sub(1, std::memory_order_release);
  lock.lock();
}

void Node::lost(std::string_view why) {
  {
    const std::lock_guard lock(mutex_);
    if (isLost()) return;
    why_ = why;
    isLost_.store(true, std::memory_order_release);
    (void)out_.take();
    held_.clear();
    // Those that the node has answered come first; the order of the others is that of their submission.
    std::vector<Pending*> left;
    for (const auto& pending : pendings_)
      if (pending->id != 0 && !pending->isFinishing) left.push_back(pending.get());
    std::ranges::sort(left, {}, &Pending::id);
    for (Pending* const pending : left) {
      pending->result = {CL_DEVICE_NOT_AVAILABLE, fmt::format("{} is not available: {}", describe(), why_)};
      pending->isFinishing = true;
      finishing_.push_back(pending);
    }
    for (auto& [question, answer] : answers_) answer.reset();
  }
  drain();
}

void Node::waitFor(const std::function<bool()>& until) {
  flush();
  cluster_.carryOnUntil([&] { return until() || isLost(); });
  // Those that a loss ends are ended by another thread, perhaps.
  while (!until() && outstanding() != 0 && isLost()) std::this_thread::yield();
}

std::optional<std::string> Node::ask(const std::function<void(Writer&, std::uint64_t)>& write) {
  std::uint64_t question = 0;
  if (isElsewhere()) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    if (isLost()) return std::nullopt;
    question = ++questions_;
    write(out_, question);
  }
  std::optional<std::string> answer;
  flush();
  cluster_.carryOnUntil([&] {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(question);
    if (found == answers_.end()) return isLost();
    answer = std::move(found->second);
    answers_.erase(found);
    return true;
  });
  return answer;
}

void Node::help(const Submission& awaited) {
  if (isElsewhere()) return;
  flush();
  cluster_.help(awaited, *this);
}

std::uint32_t Node::endFlagOf(const std::atomic<bool>* flag) {
  if (!flag) return 0;
  const auto [found, isNew] = endFlags_.try_emplace(flag, 0);
  if (isNew) found->second = newNumber();
  return found->second;
}

void Node::endLaunches(const std::atomic<bool>& flag) {
  if (isElsewhere()) return;
  {
    const std::lock_guard lock(mutex_);
    const auto found = endFlags_.find(&flag);
    if (found == endFlags_.end() || isLost()) return;
    out_.put(ToNode::EndLaunches).put(found->second);
    endFlags_.erase(found);  // an object at the same address has another flag
    sendNow();
  }
  const auto until = std::chrono::steady_clock::now() + patienceWithLaunches;
  cluster_.carryOnUntil([&] {
    const std::lock_guard lock(mutex_);
    return isLost() || std::chrono::steady_clock::now() > until ||
           std::ranges::none_of(pendings_, [&](const auto& each) { return each->id != 0 && each->endFlag == &flag; });
  });
}

}  // namespace clarity::device::cluster
