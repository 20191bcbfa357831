// SPDX-License-Identifier: Apache-2.0
// This file says which operation of a stream queue is issued next, and by whom.
#include "device/cuda/issue_order.h"

#include "device/cuda/launch_batch.h"

#include <utility>

namespace clarity::device::cuda {
namespace {

/// Launches in a row before one is batched. Measured (H100): rows of 20 gain nothing from graphs.
constexpr unsigned longRow = 32;
/// Launches follow each other quickly if so long passes at most between the end of one call and the next one.
constexpr auto longestGap = std::chrono::microseconds(10);

}  // namespace

IssueOrder::IssueOrder() { batch_.reserve(LaunchBatch::most); }

void IssueOrder::add(Submission& submission) {
  const std::uint64_t place = submitted_.load(std::memory_order_relaxed) + 1;
  submission.link.place = place;
  submission.link.flags = 0;
  submission.link.next = nullptr;
  submitted_.store(place, std::memory_order_release);
}

void IssueOrder::takeTurn(std::unique_lock<std::mutex>& lock, std::uint64_t place) {
  while (hasTurn_ || next_ != place) turnEnded_.wait(lock);
  hasTurn_ = true;
}

void IssueOrder::endTurn(std::uint64_t place) {
  next_ = place + 1;
  endTurnToFlush();
}

bool IssueOrder::takeTurnToFlush(std::unique_lock<std::mutex>& lock) {
  while (hasTurn_ && !defers()) turnEnded_.wait(lock);
  return tryTurnToFlush();
}

bool IssueOrder::tryTurnToFlush() {
  if (hasTurn_ || defers() || batch_.empty()) return false;
  return hasTurn_ = true;
}

void IssueOrder::endTurnToFlush() {
  hasTurn_ = false;
  turnEnded_.notify_all();
}

void IssueOrder::defer(Submission& submission) {
  (lastDeferred_ ? lastDeferred_->link.next : firstDeferred_) = &submission;
  lastDeferred_ = &submission;
  turnEnded_.notify_all();  // the issuer flushes the batch
}

Submission& IssueOrder::claimDeferred(std::unique_lock<std::mutex>& lock) {
  Submission& first = *firstDeferred_;
  firstDeferred_ = std::exchange(first.link.next, nullptr);
  if (!firstDeferred_) lastDeferred_ = nullptr;
  isIssuingDeferred_ = true;
  takeTurn(lock, first.link.place);
  return first;
}

void IssueOrder::endDeferred(std::uint64_t place) {
  isIssuingDeferred_ = false;
  endTurn(place);
}

bool IssueOrder::isInRow(std::size_t launches) {
  if (launches == 0)
    row_ = 0;
  else if (Clock::now() - submittedAt_ > longestGap * launches)
    row_ = 0;  // each takes the host its time
  row_ += launches;
  return row_ > longRow;
}

bool IssueOrder::hasRoom(std::size_t launches) const { return batch_.size() + launches <= LaunchBatch::most; }

void IssueOrder::addToBatch(Submission& submission, std::size_t launches) {
  batch_.insert(batch_.end(), launches, &submission);  // has room
}

std::uint64_t IssueOrder::clearBatch() {
  const std::uint64_t last = batch_.back()->link.place;
  batch_.clear();
  return last;
}

}  // namespace clarity::device::cuda
