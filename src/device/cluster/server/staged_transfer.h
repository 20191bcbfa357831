// SPDX-License-Identifier: Apache-2.0
// This file is content between another rank and memory that this process cannot access, such as a GPU's: through pieces
// of memory of the host, of which one is copied while the next one comes or goes.
#pragma once

#include "device/cluster/server/task.h"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::device::cluster::server {

/// Deletes itself when the task has ended. All pieces come or go even if a copy fails: the other rank waits for them.
class StagedTransfer {
public:
  /// Throws std::bad_alloc before anything has begun.
  static void receive(Task& task) { (new StagedTransfer(task, false))->begin(); }
  static void send(Task& task) { (new StagedTransfer(task, true))->begin(); }

private:
  /// One piece at a time; the next one when that has gone through.
  struct Stage final : Submission, cluster::Piece {
    explicit Stage(StagedTransfer& transfer) : its(transfer) { timed = false; }
    void started() noexcept override {}
    void complete(Result, const Times&) noexcept override;
    bool ended() const noexcept override { return false; }
    void moved(bool whole) noexcept override;

    StagedTransfer& its;
    Operation copy;
    std::vector<std::byte> bytes;
    std::size_t at = 0, size = 0;
    bool isCopied = false;
  };
  static constexpr std::size_t stages = 3;

  StagedTransfer(Task&, bool isSend);
  void begin();
  /// The next piece through a stage, or the end of all.
  void next(Stage&);
  /// With the mutex locked. After a failure, pieces that are sent are empty.
  void transport(Stage&);
  void copyHere(Stage&);
  /// A piece to send has been copied here: it goes when those ahead of it have.
  void sendInOrder(Stage&);
  void gone(Stage&, Result);

  Task& task_;
  const bool isSend_;
  std::mutex mutex_;  ///< guards what follows
  std::size_t at_ = 0, sent_ = 0, underWay_;
  Result failure_;
  std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace clarity::device::cluster::server
