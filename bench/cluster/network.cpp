// SPDX-License-Identifier: Apache-2.0
// This file moves messages and clocks.
#include "network.h"

#include <time.h>

#include <algorithm>

namespace clarity::model {
namespace {

/// The processor's time of this thread: what other programs do here does not count.
Nanoseconds timeOfThread() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<Nanoseconds>(now.tv_sec) * 1'000'000'000 + static_cast<Nanoseconds>(now.tv_nsec);
}

/// The time that asking for it takes.
Nanoseconds costOfAsking() {
  constexpr int times = 1000;
  const Nanoseconds before = timeOfThread();
  for (int i = 1; i < times; ++i) (void)timeOfThread();
  return (timeOfThread() - before) / times;
}

}  // namespace

class ModelTransport final : public device::cluster::Transport {
public:
  ModelTransport(Network& network, unsigned rank) : its_(network), rank_(rank) {}

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return its_.ranks(); }
  void send(unsigned to, Bytes frame) override {
    auto shared = std::make_shared<Bytes>(std::move(frame));
    its_.inside([&its = its_, rank = rank_, to, shared] { its.send(rank, to, shared); });
  }
  void sendPiece(unsigned to, std::uint64_t tag, std::span<const std::byte> content, Piece& piece) override {
    const Network::End end{{const_cast<std::byte*>(content.data()), content.size()}, &piece, 0};
    its_.inside([&its = its_, rank = rank_, to, tag, end] { its.meet(rank, to, tag, end, true); });
  }
  void receivePiece(unsigned from, std::uint64_t tag, std::span<std::byte> content, Piece& piece) override {
    const Network::End end{content, &piece, 0};
    its_.inside([&its = its_, rank = rank_, from, tag, end] { its.meet(from, rank, tag, end, false); });
  }
  bool progress(Receiver& receiver) override { return its_.progress(rank_, receiver); }
  bool isBusy() const override { return false; }
  void rest(std::chrono::microseconds) override { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  void giveUp(unsigned, std::string_view) override {}
  void leave() override {}

private:
  Network& its_;
  unsigned rank_;
};

Network::Network(const ClarityClusterModel& model) : model_(model) {}

std::unique_ptr<device::cluster::Transport> Network::transportOf(unsigned rank) {
  if (all_.size() <= rank) all_.resize(rank + 1);
  return std::make_unique<ModelTransport>(*this, rank);
}

void Network::account() {
  static const Nanoseconds asking = costOfAsking();
  if (std::this_thread::get_id() != owner_) return;
  const Nanoseconds now = timeOfThread(), since = now - lastTime_;
  if (current_ != simulation && lastTime_ != 0 && since > asking) {
    Rank& rank = all_[static_cast<std::size_t>(current_)];
    rank.clock += since - asking;
    rank.computed += since - asking;
  }
  lastTime_ = now;
}

bool Network::enter() {
  if (isTaken_.exchange(true)) return false;
  holder_.store(std::this_thread::get_id());
  return true;
}

void Network::leave() {
  holder_.store({});
  isTaken_.store(false);
}

void Network::inside(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    wanted_.push_back(std::move(work));
  }
  if (isInside()) return sendWanted();  // behind what others have left
  if (!enter()) return;
  sendWanted();
  leave();
}

void Network::sendWanted() {
  std::vector<std::function<void()>> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted.swap(wanted_);
  }
  for (const auto& each : wanted) each();
}

Nanoseconds Network::clock(unsigned rank) {
  account();
  return all_[rank].clock;
}

void Network::push(Event event) {
  event.number = ++numbers_;
  events_.push(std::move(event));
}

void Network::at(unsigned rank, Nanoseconds time, std::function<void()> ended) {
  const As itself(*this, simulation);
  push({.kind = Event::Kind::Work, .time = time, .number = 0, .rank = rank, .ended = std::move(ended)});
}

Nanoseconds Network::arrival(unsigned from, unsigned to, std::size_t bytes, Nanoseconds time) {
  const auto take = [&](Nanoseconds& isFree, double rate, double latency) {
    time = std::max(time, isFree);
    isFree = time + static_cast<Nanoseconds>(static_cast<double>(bytes) / rate);
    time += static_cast<Nanoseconds>(latency);
  };
  const std::size_t below = model_.ranksBelow, leaf = from / below, other = to / below;
  take(all_[from].outFree, model_.bandwidth, model_.latency);
  if (leaf != other) {
    const std::size_t leaves = ranks() / below + 1;
    upFree_.resize(leaves), downFree_.resize(leaves);
    const double rate = model_.bandwidth * static_cast<double>(below) / model_.oversubscription;
    take(upFree_[leaf], rate, model_.hop);
    take(downFree_[other], rate, model_.hop);
  }
  take(all_[to].inFree, model_.bandwidth, 0);
  return all_[to].inFree;
}

void Network::send(unsigned from, unsigned to, const std::shared_ptr<Bytes>& frame) {
  const As itself(*this, simulation);
  all_[from].clock += static_cast<Nanoseconds>(model_.frame);
  counts_.frames += 1;
  counts_.bytes += frame->size();
  const Nanoseconds time = arrival(from, to, frame->size(), all_[from].clock);
  push({.kind = Event::Kind::Frame, .time = time, .number = 0, .rank = to, .from = from, .frame = frame});
}

void Network::meet(unsigned from, unsigned to, std::uint64_t tag, const End& end, bool isSend) {
  const As itself(*this, simulation);
  all_[isSend ? from : to].clock += static_cast<Nanoseconds>(model_.frame);
  const auto at = meetings_.try_emplace({{from, to}, tag}).first;
  Meeting& meeting = at->second;
  auto& own = isSend ? meeting.sends : meeting.receives;
  own.push(end);
  own.back().posted = all_[isSend ? from : to].clock;
  while (!meeting.sends.empty() && !meeting.receives.empty()) {
    const End sent = meeting.sends.front(), received = meeting.receives.front();
    meeting.sends.pop(), meeting.receives.pop();
    // Each side has to know of the other.
    const Nanoseconds begin = std::max(sent.posted, received.posted + static_cast<Nanoseconds>(model_.latency));
    const Nanoseconds time = arrival(from, to, sent.content.size(), begin);
    counts_.pieces += 1;
    counts_.pieceBytes += sent.content.size();
    if (from == 0) counts_.fromHost += sent.content.size();
    const bool isWhole = sent.content.size() == received.content.size();
    push({.kind = Event::Kind::Piece, .time = time, .number = 0, .rank = from, .piece = sent.piece});
    push({.kind = Event::Kind::Piece,
          .time = time,
          .number = 0,
          .rank = to,
          .piece = received.piece,
          .isWhole = isWhole});
  }
  if (meeting.sends.empty() && meeting.receives.empty()) meetings_.erase(at);
}

bool Network::take(unsigned rank, Receiver& receiver) {
  bool any = false;
  for (auto& news = all_[rank].news; !news.empty(); any = true) {
    const Event event = std::move(news.front());
    news.pop();
    if (event.kind == Event::Kind::Frame) all_[rank].clock += static_cast<Nanoseconds>(model_.frame);
    const As itsOwn(*this, static_cast<int>(rank));
    switch (event.kind) {
      case Event::Kind::Frame: receiver.received(event.from, *event.frame); break;
      case Event::Kind::Piece: event.piece->moved(event.isWhole); break;
      case Event::Kind::Work: event.ended(); break;
    }
  }
  return any;
}

bool Network::isOwner() {
  constexpr auto silence = std::chrono::milliseconds(2);
  const auto now = std::chrono::steady_clock::now();
  const bool isApplication = std::this_thread::get_id() == application_;
  if (!isApplication && now - lastCall_ < silence) return false;
  if (isApplication) lastCall_ = now;
  if (std::exchange(owner_, std::this_thread::get_id()) != std::this_thread::get_id()) lastTime_ = 0;
  return true;
}

bool Network::comeToHost() {
  while (!events_.empty()) {
    const unsigned rank = events_.top().rank;
    Rank& it = all_[rank];
    if (rank != 0 && it.clock > events_.top().time) {
      // It is busy, and sees it later: others send something first.
      Event later = events_.top();
      events_.pop();
      later.time = it.clock;
      events_.push(std::move(later));
      continue;
    }
    const Nanoseconds now = it.clock = std::max(it.clock, events_.top().time);
    // A rank that is busy finds all that has come meanwhile.
    while (!events_.empty() && events_.top().rank == rank && events_.top().time <= now) {
      it.news.push(events_.top());
      events_.pop();
    }
    if (rank == 0) return true;
    const As node(*this, static_cast<int>(rank));
    it.step();
  }
  return false;
}

bool Network::progress(unsigned rank, Receiver& receiver) {
  if (rank != 0) return isInside() && take(rank, receiver);
  if (isInside() || !enter()) return false;
  bool any = false;
  if (isOwner()) {
    const As itself(*this, simulation);
    sendWanted();
    any = comeToHost() && take(0, receiver);
  }
  leave();
  return any;
}

ClarityClusterCounts Network::counts() {
  while (!enter()) std::this_thread::yield();
  account();
  ClarityClusterCounts counts = counts_;
  counts.clock = all_[0].clock;
  counts.computed = all_[0].computed;
  for (std::size_t rank = 1; rank < all_.size(); ++rank) counts.nodes += all_[rank].computed;
  leave();
  return counts;
}

}  // namespace clarity::model
