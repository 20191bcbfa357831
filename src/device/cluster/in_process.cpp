// SPDX-License-Identifier: Apache-2.0
// This file hands frames and pieces from thread to thread.
#include "device/cluster/in_process.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <utility>

namespace clarity::device::cluster {
namespace {

/// One end of a piece that waits for the other.
struct End {
  unsigned from, to;
  std::uint64_t tag;
  std::byte* content;
  std::size_t bytes;
  Piece* piece;
};

/// News for a rank, told in its next progress().
struct Event {
  enum class Kind : std::uint8_t { Frame, Moved, Failed, Lost } kind;
  unsigned from = 0;
  Bytes frame{};
  Piece* piece = nullptr;
  std::string why{};
};

/// All ranks, which live as long as one of their transports.
struct Ranks {
  explicit Ranks(unsigned count) : inboxes(count), isCut(count), hasGivenUp(count, std::vector<bool>(count)) {}

  struct Inbox {
    std::deque<Event> events;
    std::condition_variable arrived;
  };
  std::mutex mutex;  ///< guards everything
  std::vector<Inbox> inboxes;
  std::vector<bool> isCut;
  std::vector<std::vector<bool>> hasGivenUp;  ///< who, whom
  std::deque<End> sends, receives;

  void post(unsigned to, Event event) {
    if (isCut[to]) return;
    inboxes[to].events.push_back(std::move(event));
    inboxes[to].arrived.notify_all();
  }
  /// The other end, taken out.
  static bool take(std::deque<End>& ends, const End& like, End& found) {
    const auto at = std::ranges::find_if(
        ends, [&](const End& each) { return each.from == like.from && each.to == like.to && each.tag == like.tag; });
    if (at == ends.end()) return false;
    found = *at;
    ends.erase(at);
    return true;
  }
  void move(const End& send, const End& receive) {
    const std::size_t bytes = std::min(send.bytes, receive.bytes);
    if (bytes > 0 && !isCut[send.from] && !isCut[send.to]) std::memcpy(receive.content, send.content, bytes);
    post(send.from, {.kind = Event::Kind::Moved, .piece = send.piece});
    const bool isWhole = send.bytes == receive.bytes;
    post(send.to, {.kind = isWhole ? Event::Kind::Moved : Event::Kind::Failed, .piece = receive.piece});
  }
  void giveUp(unsigned who, unsigned whom, const std::string& why) {
    if (hasGivenUp[who][whom]) return;
    hasGivenUp[who][whom] = true;
    const auto end = [&](std::deque<End>& ends, unsigned End::* own, unsigned End::* other) {
      for (const End& each : ends)
        if (each.*own == who && each.*other == whom) post(who, {.kind = Event::Kind::Failed, .piece = each.piece});
      std::erase_if(ends, [&](const End& each) { return each.*own == who && each.*other == whom; });
    };
    end(sends, &End::from, &End::to);
    end(receives, &End::to, &End::from);
    post(who, {.kind = Event::Kind::Lost, .from = whom, .why = why});
  }
};

class InProcess final : public Transport {
public:
  InProcess(std::shared_ptr<Ranks> ranks, unsigned rank) : ranks_(std::move(ranks)), rank_(rank) {}
  ~InProcess() override { cut(false); }

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return static_cast<unsigned>(ranks_->inboxes.size()); }

  void send(unsigned to, Bytes frame) override {
    const std::lock_guard lock(ranks_->mutex);
    if (!ranks_->isCut[rank_]) ranks_->post(to, {.kind = Event::Kind::Frame, .from = rank_, .frame = std::move(frame)});
  }
  void sendPiece(unsigned to, std::uint64_t tag, std::span<const std::byte> content, Piece& piece) override {
    meet({rank_, to, tag, const_cast<std::byte*>(content.data()), content.size(), &piece}, true);
  }
  void receivePiece(unsigned from, std::uint64_t tag, std::span<std::byte> content, Piece& piece) override {
    meet({from, rank_, tag, content.data(), content.size(), &piece}, false);
  }

  bool progress(Receiver& receiver) override {
    if (inside_.exchange(true, std::memory_order_acquire)) return false;
    bool any = false;
    Event event;
    while (next(event)) {
      any = true;
      switch (event.kind) {
        case Event::Kind::Frame: receiver.received(event.from, event.frame); break;
        case Event::Kind::Moved: event.piece->moved(true); break;
        case Event::Kind::Failed: event.piece->moved(false); break;
        case Event::Kind::Lost: receiver.lost(event.from, event.why); break;
      }
    }
    inside_.store(false, std::memory_order_release);
    return any;
  }
  bool isBusy() const override { return false; }
  void rest(std::chrono::microseconds time) override {
    std::unique_lock lock(ranks_->mutex);
    auto& inbox = ranks_->inboxes[rank_];
    if (inbox.events.empty()) inbox.arrived.wait_for(lock, time);
  }
  void giveUp(unsigned rank, std::string_view why) override {
    const std::lock_guard lock(ranks_->mutex);
    ranks_->giveUp(rank_, rank, std::string(why));
  }
  void leave() override {}

  void cut(bool isNoticed) {
    const std::lock_guard lock(ranks_->mutex);
    ranks_->isCut[rank_] = true;
    ranks_->inboxes[rank_].events.clear();
    if (isNoticed)
      for (unsigned other = 0; other < ranks(); ++other)
        if (other != rank_) ranks_->giveUp(other, rank_, "its thread has been stopped by a test");
  }

private:
  bool next(Event& event) {
    const std::lock_guard lock(ranks_->mutex);
    auto& events = ranks_->inboxes[rank_].events;
    if (events.empty()) return false;
    event = std::move(events.front());
    events.pop_front();
    return true;
  }
  void meet(const End& end, bool isSend) {
    const std::lock_guard lock(ranks_->mutex);
    if (ranks_->isCut[rank_]) return;
    if (ranks_->hasGivenUp[rank_][isSend ? end.to : end.from])
      return ranks_->post(rank_, {.kind = Event::Kind::Failed, .piece = end.piece});
    End other{};
    if (Ranks::take(isSend ? ranks_->receives : ranks_->sends, end, other))
      isSend ? ranks_->move(end, other) : ranks_->move(other, end);
    else
      (isSend ? ranks_->sends : ranks_->receives).push_back(end);
  }

  std::shared_ptr<Ranks> ranks_;
  unsigned rank_;
  std::atomic<bool> inside_{false};
};

}  // namespace

std::vector<std::unique_ptr<Transport>> connectedInProcess(unsigned count) {
  const auto ranks = std::make_shared<Ranks>(count);
  std::vector<std::unique_ptr<Transport>> made;
  for (unsigned rank = 0; rank < count; ++rank) made.push_back(std::make_unique<InProcess>(ranks, rank));
  return made;
}

void cutOff(Transport& transport, bool isNoticed) { static_cast<InProcess&>(transport).cut(isNoticed); }

}  // namespace clarity::device::cluster
