// SPDX-License-Identifier: Apache-2.0
// This file moves content through pieces of memory of the host.
#include "device/cluster/server/staged_transfer.h"

#include "device/cluster/server/server.h"

#include <CL/cl.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cluster::server {

StagedTransfer::StagedTransfer(Task& task, bool isSend)
    : task_(task), isSend_(isSend), underWay_(std::min<std::size_t>(stages, cluster::piecesOf(task.bytes))) {
  for (std::size_t i = 0; i < underWay_; ++i) {
    stages_.push_back(std::make_unique<Stage>(*this));
    stages_.back()->bytes.reserve(std::min<std::size_t>(cluster::pieceBytes, task.bytes));
  }
}

void StagedTransfer::begin() {
  // Pieces of one tag come in the order in which they are asked for: so by one thread, here, the first ones. The last
  // of them may end the transfer.
  std::array<Stage*, stages> first{};
  for (std::size_t i = 0; i < stages_.size(); ++i) first[i] = stages_[i].get();
  for (Stage* const stage : first)
    if (stage) next(*stage);
}

void StagedTransfer::next(Stage& stage) {
  bool isLast = false;
  {
    const std::lock_guard lock(mutex_);
    if (at_ < task_.bytes) {
      stage.at = at_;
      stage.size = std::min<std::size_t>(cluster::pieceBytes, task_.bytes - at_);
      stage.bytes.resize(stage.size);
      at_ += stage.size;
      // With the lock, so that pieces are asked for in their order.
      if (!isSend_) return transport(stage);
    } else {
      stage.size = 0;
      isLast = --underWay_ == 0;
    }
  }
  if (stage.size != 0) return copyHere(stage);
  if (!isLast) return;
  Task& task = task_;
  Result failure = std::move(failure_);
  delete this;
  end(task, std::move(failure));
}

void StagedTransfer::transport(Stage& stage) {
  cluster::Transport& transport = task_.server.transport();
  const std::span<const std::byte> content = stage.bytes;
  if (isSend_)
    transport.sendPiece(task_.rank, task_.tag, failure_ ? content : content.first(0), stage);
  else
    transport.receivePiece(task_.rank, task_.tag, stage.bytes, stage);
}

void StagedTransfer::copyHere(Stage& stage) {
  Location there = task_.place;
  there.offset += stage.at;
  const Location here = Location::inHost(stage.bytes.data());
  stage.copy = isSend_ ? Copy{.to = here, .from = there, .bytes = stage.size}
                       : Copy{.to = there, .from = here, .bytes = stage.size};
  stage.operation = &stage.copy;
  task_.server.submitLocally(stage, task_.stream);
}

void StagedTransfer::sendInOrder(Stage& stage) {
  const std::lock_guard lock(mutex_);
  stage.isCopied = true;
  for (bool any = true; any;) {
    any = false;
    for (const auto& each : stages_) {
      if (!each->isCopied || each->at != sent_) continue;
      each->isCopied = false;
      sent_ += each->size;
      transport(*each);
      any = true;
    }
  }
}

void StagedTransfer::gone(Stage& stage, Result result) {
  if (!result) {
    const std::lock_guard lock(mutex_);
    if (failure_) failure_ = std::move(result);
  }
  next(stage);
}

void StagedTransfer::Stage::moved(bool whole) noexcept {
  if (!whole) return its.gone(*this, {CL_DEVICE_NOT_AVAILABLE, "content of another node did not come"});
  its.isSend_ ? its.gone(*this, {}) : its.copyHere(*this);
}

void StagedTransfer::Stage::complete(Result result, const Times&) noexcept {
  if (!its.isSend_) return its.gone(*this, std::move(result));
  if (!result) {
    const std::lock_guard lock(its.mutex_);
    if (its.failure_) its.failure_ = std::move(result);
  }
  its.sendInOrder(*this);
}

}  // namespace clarity::device::cluster::server
