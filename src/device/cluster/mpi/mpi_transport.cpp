// SPDX-License-Identifier: Apache-2.0
// This file is the only one that knows MPI. It becomes a plug-in of the driver for each MPI that is installed.
//
// One thread at a time is inside MPI (MPI_THREAD_SERIALIZED): the one that has `inside_`. Others leave what they want
// sent in a queue, which that one empties before it goes.
#include "device/cluster/plug_in.h"

#include "device/cluster/mpi/requests.h"

#include <mpi.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::device::cluster::mpi {
namespace {

using cluster::Bytes;
using cluster::Piece;
using cluster::Receiver;

constexpr int frameTag = 1, firstPieceTag = 2;
/// The largest tag that every MPI has.
constexpr int leastLargestTag = 32'767;
/// Frames to one rank that MPI has at a time: it looks at each of them again and again.
constexpr std::size_t mostUnderWay = 32;
/// Frames that one call takes, so that it comes back to what is to be sent.
constexpr int mostFrames = 64;

/// As many tags as MPI has for pieces: transfers that are under way at the same time have different ones.
unsigned pieceTagsOf(MPI_Comm comm) {
  void* largest = nullptr;
  int isThere = 0;
  if (MPI_Comm_get_attr(comm, MPI_TAG_UB, &largest, &isThere) != MPI_SUCCESS || !isThere)
    return leastLargestTag - firstPieceTag;
  return static_cast<unsigned>(*static_cast<const int*>(largest) - firstPieceTag);
}

std::string textOf(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

/// Traffic that MPI has not been told of yet.
struct Wanted {
  enum class Kind : std::uint8_t { Frame, SendPiece, ReceivePiece } kind;
  unsigned peer;
  std::uint64_t tag = 0;
  Bytes frame{};
  std::byte* content = nullptr;
  std::size_t bytes = 0;
  Piece* piece = nullptr;
};

/// A frame that is coming.
struct Incoming {
  Bytes frame;
  MPI_Request request = MPI_REQUEST_NULL;
};

class MpiTransport final : public cluster::Transport {
public:
  explicit MpiTransport(MPI_Comm comm) : comm_(comm), pieceTags_(pieceTagsOf(comm)) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &ranks);
    rank_ = static_cast<unsigned>(rank);
    ranks_ = static_cast<unsigned>(ranks);
    incoming_.resize(ranks_);
    waiting_.resize(ranks_);
    isGone_.resize(ranks_);
  }

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return ranks_; }

  void send(unsigned to, Bytes frame) override {
    want({.kind = Wanted::Kind::Frame, .peer = to, .frame = std::move(frame)});
  }
  void sendPiece(unsigned to, std::uint64_t tag, std::span<const std::byte> content, Piece& piece) override {
    want({.kind = Wanted::Kind::SendPiece,
          .peer = to,
          .tag = tag,
          .content = const_cast<std::byte*>(content.data()),
          .bytes = content.size(),
          .piece = &piece});
  }
  void receivePiece(unsigned from, std::uint64_t tag, std::span<std::byte> content, Piece& piece) override {
    want({.kind = Wanted::Kind::ReceivePiece,
          .peer = from,
          .tag = tag,
          .content = content.data(),
          .bytes = content.size(),
          .piece = &piece});
  }

  bool progress(Receiver& receiver) override {
    if (inside_.exchange(true, std::memory_order_acquire)) return false;
    bool any = sendWanted();
    any = requests_.test([&](Piece& piece, bool whole) { piece.moved(whole); },
                         [&](unsigned peer, int code) { lose(peer, textOf(code)); }) ||
          any;
    any = sendWaiting() || any;
    any = takeFrames(receiver) || any;
    any = giveUpLost(receiver) || any;
    any = sendWanted() || any;
    busy_.store(requests_.pieces() != 0, std::memory_order_relaxed);
    comeOut();
    return any;
  }
  bool isBusy() const override { return busy_.load(std::memory_order_relaxed); }
  void rest(std::chrono::microseconds time) override { std::this_thread::sleep_for(time); }

  void giveUp(unsigned rank, std::string_view why) override { lose(rank, std::string(why)); }

  void leave() override {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::seconds(2);
    while (inside_.exchange(true, std::memory_order_acquire) && Clock::now() < until) std::this_thread::yield();
    bool isAlone = false;
    do {
      sendWanted();
      sendWaiting();
      requests_.test([](Piece&, bool) {}, [&](unsigned, int) { isAlone = true; });
    } while (requests_.sends() != 0 && Clock::now() < until && !isAlone);
    for (const bool gone : isGone_) isAlone = isAlone || gone;
    // A rank that is gone would be waited for.
    if (!isAlone && requests_.sends() == 0) MPI_Finalize();
    // It stays inside: no other thread comes in any more.
  }

private:
  void want(Wanted wanted) {
    {
      const std::lock_guard lock(mutex_);
      wanted_.push_back(std::move(wanted));
      hasWanted_.store(true, std::memory_order_release);
    }
    if (inside_.exchange(true, std::memory_order_acquire)) return;
    sendWanted();
    comeOut();
  }
  /// Lets others in, unless they have left something meanwhile.
  void comeOut() {
    for (;;) {
      inside_.store(false, std::memory_order_seq_cst);
      if (!hasWanted_.load(std::memory_order_seq_cst) || inside_.exchange(true, std::memory_order_acquire)) return;
      sendWanted();
    }
  }
  bool sendWanted() {
    if (!hasWanted_.load(std::memory_order_acquire)) return false;
    std::deque<Wanted> wanted;
    {
      const std::lock_guard lock(mutex_);
      wanted.swap(wanted_);
      hasWanted_.store(false, std::memory_order_release);
    }
    for (Wanted& each : wanted) {
      // In their order: behind those that wait already.
      auto& queue = waiting_[each.peer];
      if (each.kind == Wanted::Kind::Frame && (!queue.empty() || requests_.frames(each.peer) >= mostUnderWay))
        queue.push_back(std::move(each)), ++framesWaiting_;
      else
        begin(each);
    }
    return true;
  }
  bool sendWaiting() {
    bool any = false;
    for (unsigned peer = 0; peer < ranks_ && framesWaiting_ != 0; ++peer)
      for (auto& queue = waiting_[peer]; !queue.empty() && requests_.frames(peer) < mostUnderWay; queue.pop_front()) {
        begin(queue.front());
        --framesWaiting_;
        any = true;
      }
    return any;
  }
  void begin(Wanted& wanted) {
    if (isGone_[wanted.peer]) {
      if (wanted.piece) failed_.push_back(wanted.piece);
      return;
    }
    const int peer = static_cast<int>(wanted.peer), count = static_cast<int>(wanted.bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    if (wanted.kind == Wanted::Kind::Frame)
      code = MPI_Isend(wanted.frame.data(), static_cast<int>(wanted.frame.size()), MPI_BYTE, peer, frameTag, comm_,
                       &request);
    else if (wanted.kind == Wanted::Kind::SendPiece)
      code = MPI_Isend(wanted.content, count, MPI_BYTE, peer, tagOf(wanted.tag), comm_, &request);
    else
      code = MPI_Irecv(wanted.content, count, MPI_BYTE, peer, tagOf(wanted.tag), comm_, &request);
    if (code != MPI_SUCCESS) {
      if (wanted.piece) failed_.push_back(wanted.piece);
      return lose(wanted.peer, textOf(code));
    }
    if (!wanted.piece) return requests_.addFrame(request, wanted.peer, std::move(wanted.frame));
    busy_.store(true, std::memory_order_relaxed);
    requests_.addPiece(request, wanted.peer, wanted.kind == Wanted::Kind::SendPiece, *wanted.piece, wanted.bytes);
  }
  int tagOf(std::uint64_t tag) const { return firstPieceTag + static_cast<int>(tag % pieceTags_); }

  bool takeFrames(Receiver& receiver) {
    bool any = false;
    for (int i = 0; i < mostFrames; ++i) {
      int isThere = 0, bytes = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status{};
      if (MPI_Improbe(MPI_ANY_SOURCE, frameTag, comm_, &isThere, &message, &status) != MPI_SUCCESS || !isThere) break;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const auto from = static_cast<unsigned>(status.MPI_SOURCE);
      Incoming coming{.frame = Bytes(static_cast<std::size_t>(bytes))};
      if (const int code = MPI_Imrecv(coming.frame.data(), bytes, MPI_BYTE, &message, &coming.request);
          code != MPI_SUCCESS) {
        lose(from, textOf(code));
        continue;
      }
      incoming_[from].push_back(std::move(coming));
      ++arriving_;
      any = deliver(from, receiver) || any;
    }
    if (arriving_ != 0)
      for (unsigned from = 0; from < ranks_; ++from) any = deliver(from, receiver) || any;
    return any;
  }
  /// Frames of a rank that have come, in their order.
  bool deliver(unsigned from, Receiver& receiver) {
    bool any = false;
    for (auto& queue = incoming_[from]; !queue.empty(); queue.pop_front()) {
      int isDone = 0;
      const int code = MPI_Test(&queue.front().request, &isDone, MPI_STATUS_IGNORE);
      if (code != MPI_SUCCESS && !isGone_[from]) lose(from, textOf(code));
      if (code != MPI_SUCCESS || !isDone) break;
      --arriving_;
      any = true;
      if (!isGone_[from]) receiver.received(from, queue.front().frame);
    }
    return any;
  }

  void lose(unsigned rank, std::string why) {
    const std::lock_guard lock(mutex_);
    lost_.emplace_back(rank, std::move(why));
    hasLost_.store(true, std::memory_order_release);
  }
  bool giveUpLost(Receiver& receiver) {
    bool any = !failed_.empty();
    for (Piece* const piece : std::exchange(failed_, {})) piece->moved(false);
    if (!hasLost_.load(std::memory_order_acquire)) return any;
    std::vector<std::pair<unsigned, std::string>> lost;
    {
      const std::lock_guard lock(mutex_);
      lost.swap(lost_);
      hasLost_.store(false, std::memory_order_release);
    }
    for (const auto& [rank, why] : lost) {
      if (isGone_[rank]) continue;
      isGone_[rank] = true;
      framesWaiting_ -= waiting_[rank].size();
      waiting_[rank].clear();
      receiver.lost(rank, why);
      requests_.giveUp(rank, [](Piece& piece) { piece.moved(false); });
    }
    return true;
  }

  MPI_Comm comm_;
  unsigned pieceTags_, rank_ = 0, ranks_ = 1;
  std::atomic<bool> inside_{false}, hasWanted_{false}, hasLost_{false}, busy_{false};
  std::mutex mutex_;  ///< guards what follows
  std::deque<Wanted> wanted_;
  std::vector<std::pair<unsigned, std::string>> lost_;

  // For the thread that is inside.
  Requests requests_;
  std::vector<std::deque<Incoming>> incoming_;  ///< by rank
  std::size_t arriving_ = 0;
  std::vector<std::deque<Wanted>> waiting_;  ///< frames, by rank
  std::size_t framesWaiting_ = 0;
  std::vector<bool> isGone_;
  std::vector<Piece*> failed_;
};

}  // namespace
}  // namespace clarity::device::cluster::mpi

clarity::device::cluster::Transport* clarityMpiTransport(const char* version, const char** why) {
  if (std::string_view(version) != CLARITY_VERSION) {
    *why = "the plug-in for MPI is of version " CLARITY_VERSION ", and the driver is of another one";
    return nullptr;
  }
  int isInitialised = 0, provided = MPI_THREAD_SINGLE;
  MPI_Initialized(&isInitialised);
  const int code =
      isInitialised ? MPI_Query_thread(&provided) : MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code != MPI_SUCCESS || provided < MPI_THREAD_SERIALIZED) {
    *why = code != MPI_SUCCESS ? "MPI could not be initialised"
                               : "MPI is initialised without MPI_THREAD_SERIALIZED, which a cluster needs";
    return nullptr;
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) {
    *why = "MPI could not duplicate MPI_COMM_WORLD";
    return nullptr;
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return new clarity::device::cluster::mpi::MpiTransport(comm);
}
