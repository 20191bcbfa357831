// SPDX-License-Identifier: Apache-2.0
// This file is a cluster in one thread: the ranks are the driver's own code, the links between them and the processors
// of the nodes are a model. Each rank has a clock of its own. Its code takes as long as it takes here, measured
// between one call of the transport and the next; what a link or a kernel takes is computed.
//
// Events are taken in the order of their times. The application's thread is rank 0. While it waits the others go on,
// until something comes for it, and its clock then jumps to that time.
#pragma once

#include "control.h"
#include "device/cluster/transport.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::model {

using device::cluster::Bytes;
using device::cluster::Piece;
using device::cluster::Receiver;
using Nanoseconds = std::uint64_t;

class Network {
public:
  explicit Network(const ClarityClusterModel&);

  unsigned ranks() const { return static_cast<unsigned>(all_.size()); }
  std::unique_ptr<device::cluster::Transport> transportOf(unsigned rank);
  /// Called when there is news for a node: one round of its server.
  void setStep(unsigned rank, std::function<void()> step) { all_[rank].step = std::move(step); }
  void setModel(const ClarityClusterModel& model) { model_ = model; }
  const ClarityClusterModel& model() const { return model_; }
  /// The clock of a rank, now.
  Nanoseconds clock(unsigned rank);
  /// Work that a rank's device does until then.
  void at(unsigned rank, Nanoseconds time, std::function<void()> ended);
  ClarityClusterCounts counts();

private:
  friend class ModelTransport;
  struct End {
    std::span<std::byte> content;
    Piece* piece;
    Nanoseconds posted;
  };
  struct Meeting {
    std::queue<End> sends, receives;
  };
  struct Event {
    enum class Kind : std::uint8_t { Frame, Piece, Work } kind;
    Nanoseconds time;
    std::uint64_t number;  ///< those of one time come in their order
    unsigned rank, from = 0;
    std::shared_ptr<Bytes> frame{};
    Piece* piece = nullptr;
    bool isWhole = true;
    std::function<void()> ended{};
    bool operator>(const Event& other) const { return std::pair(time, number) > std::pair(other.time, other.number); }
  };
  struct Rank {
    Nanoseconds clock = 0, outFree = 0, inFree = 0, computed = 0;
    std::queue<Event> news;  ///< that its next progress() takes
    std::function<void()> step;
  };
  /// Says whose code runs: a rank's or the simulation's own.
  class As {
  public:
    As(Network& network, int rank) : its_(network), before_(network.current_) {
      its_.account();
      its_.current_ = rank;
    }
    ~As() {
      its_.account();
      its_.current_ = before_;
    }
    As(const As&) = delete;
    As& operator=(const As&) = delete;

  private:
    Network& its_;
    int before_;
  };
  static constexpr int simulation = -1;

  /// The processor's time since the last call goes to whose code has run.
  void account();
  void push(Event event);
  /// When so many bytes that leave at `time` have come.
  Nanoseconds arrival(unsigned from, unsigned to, std::size_t bytes, Nanoseconds time);
  void meet(unsigned from, unsigned to, std::uint64_t tag, const End& end, bool isSend);
  void send(unsigned from, unsigned to, const std::shared_ptr<Bytes>& frame);
  bool progress(unsigned rank, Receiver& receiver);
  /// Whether this thread is the application's, or another one of rank 0 while that one sleeps.
  bool isOwner();
  /// Goes on until something has come for the application. False if nothing is under way.
  bool comeToHost();
  bool take(unsigned rank, Receiver& receiver);

  /// Runs now if this thread is inside, and otherwise as soon as no other one is: whoever calls may hold locks that the
  /// one inside wants.
  void inside(std::function<void()> work);
  void sendWanted();
  bool enter();
  void leave();
  bool isInside() const { return holder_.load() == std::this_thread::get_id(); }

  std::atomic<bool> isTaken_{false};
  std::atomic<std::thread::id> holder_{};
  std::mutex mutex_;  ///< guards what follows
  std::vector<std::function<void()>> wanted_;

  // For the thread that is inside.
  ClarityClusterModel model_;
  std::vector<Rank> all_;
  std::vector<Nanoseconds> upFree_;  ///< the links of leaf switches to the ones above
  std::vector<Nanoseconds> downFree_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::map<std::pair<std::pair<unsigned, unsigned>, std::uint64_t>, Meeting> meetings_;
  std::uint64_t numbers_ = 0;
  int current_ = 0;
  std::thread::id application_ = std::this_thread::get_id(), owner_ = application_;
  std::chrono::steady_clock::time_point lastCall_ = std::chrono::steady_clock::now();
  Nanoseconds lastTime_ = 0;
  ClarityClusterCounts counts_{};
};

}  // namespace clarity::model
