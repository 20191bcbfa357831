// SPDX-License-Identifier: Apache-2.0
// This file is an operation of a joined device under way: content goes to the parts that need it, then the parts
// execute their operations, and the last one to end ends the whole.
#pragma once

#include "device/joined/order.h"
#include "device/joined/plan.h"
#include "device/stream.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace clarity::device::joined {

/// Streams of the parts, by part.
using PartStreams = std::vector<std::unique_ptr<Stream>>;

/// Deletes itself when complete() of what was submitted has returned. No thread waits in it.
///
/// An operation that comes after others waits on the host until these have ended if it uses memory of the host, or if
/// content has to be moved for it that does not go directly from part to part. Otherwise all is submitted at once: its
/// parts' operations behind those of their part, as two parts of a launch share nothing, and content behind those of
/// the part that it leaves and of the one that gets it.
class JoinedOperation final : support::Residency::Waiter {
  struct Private {};

public:
  /// `order`: that of support::Residency::prepareBehind(), of the command-queue.
  static void begin(Parts& parts, PartStreams& streams, Submission& asked, Start start,
                    std::span<Submission* const> after, const void* order);

  JoinedOperation(Private, Parts& parts, PartStreams& streams, Submission& asked, Start start, const void* order)
      : parts_(parts), streams_(streams), asked_(asked), start_(start), order_(order) {}

  // For Order:
  void comesAfter(Order::Earlier earlier) {
    earlier_ = std::move(earlier);
    earlierLeft_.fetch_add(earlier_.count, std::memory_order_relaxed);
  }
  /// Changed with the order's mutex locked until earlierRun() is called.
  Order::Earlier& earlier() { return earlier_; }
  /// All that this comes after has ended or runs: waits for nothing but operations of the parts. `start`: AtOnce unless
  /// the application is just enqueuing this, as it may have flushed the command-queue since it did.
  void earlierRun(Start start) noexcept;
  /// One of them has ended.
  void earlierEnded() noexcept;
  JoinedOperation* nextReady = nullptr;

private:
  using Place = support::Residency::Place;

  /// An operation of a part, and how it ended.
  struct PartSubmission final : Submission {
    JoinedOperation* whole = nullptr;
    PartOperation own;
    Times times;
    std::atomic<bool> done{false};

    void started() noexcept override { whole->pieceStarted(); }
    void complete(Result result, const Times& when) noexcept override;
    bool ended() const noexcept override { return done.load(std::memory_order_acquire); }
  };
  /// Content on its way from part to part: directly, or through memory of the host.
  struct Transfer final : Submission {
    JoinedOperation* whole = nullptr;
    JoinedAllocation* allocation = nullptr;
    support::Residency::Transfer what;
    Operation copy;
    std::unique_ptr<std::byte[]> staging;
    bool isHalfWay = false;
    std::uint64_t begun = 0;  ///< 0: it has waited for others
    std::atomic<bool> done{false};

    void started() noexcept override {}
    void complete(Result result, const Times&) noexcept override;
    bool ended() const noexcept override { return done.load(std::memory_order_acquire); }
  };

  /// Plans, and submits all that can run behind what is running.
  void beginBehind();
  /// The earlier ones have ended.
  void goOn() noexcept;
  void plan();
  /// Adds the transfers that bring what is missing behind the earlier operations. False: there are none that can.
  bool fetchBehind();
  void giveUpTransfers() noexcept;

  /// Starts what brings the content that is missing. True when nothing is; otherwise the last endOne() goes on.
  bool prepareAll() noexcept;
  bool prepare(const Need& need) noexcept;
  void addTransfer(JoinedAllocation& allocation, const support::Residency::Transfer& what);
  void startTransfer(Transfer& transfer) noexcept;
  void submitTransfer(Transfer& transfer, PartIndex part, Location to, Location from,
                      std::span<Submission* const> after = {});
  void submitTransfersBehind(const Tails& tails) noexcept;
  void learnFrom(const Transfer& transfer);
  void transferEnded() noexcept override { endOne(); }
  void endOne() noexcept;

  void run(Start start) noexcept;
  void submitPieces(Start start) noexcept;
  /// Those that a part's operations have to wait for: transfers from the part, and to it.
  std::vector<std::shared_ptr<Submission>> transfersOf(PartIndex part) const;
  void record();
  void pieceStarted() noexcept;
  void endPiece() noexcept;
  void finish() noexcept;
  void failed(Result result) noexcept;

  Parts& parts_;
  PartStreams& streams_;
  Submission& asked_;
  Start start_;
  const void* order_;
  Plan plan_;
  bool isPlanned_ = false;
  Order::Earlier earlier_;
  std::atomic<std::size_t> earlierLeft_{1};  ///< and one more until all of them run
  bool runsBehind_ = false;                  ///< its operations have been submitted behind the earlier ones
  std::vector<std::shared_ptr<PartSubmission>> pieces_;
  std::vector<std::shared_ptr<Transfer>> transfers_;
  std::atomic<std::size_t> pending_{0};
  std::atomic<bool> hasStarted_{false};
  std::mutex mutex_;  ///< guards failure_
  Result failure_;
};

}  // namespace clarity::device::joined
