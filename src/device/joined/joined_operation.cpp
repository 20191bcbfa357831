// SPDX-License-Identifier: Apache-2.0
// This file carries out the plan of an operation.
#include "device/joined/joined_operation.h"

#include "support/clock.h"

#include <CL/cl.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace clarity::device::joined {
namespace {

/// A transfer of fewer bytes says little of how fast content moves.
constexpr std::size_t leastOfMeasured = std::size_t{1} << 20;
constexpr double newestTransfer = 0.25;

/// Whether an operation reads or writes memory of the host, through which one part may depend on another.
bool usesHostMemory(const Operation& operation) {
  const auto hasHostEnd = [](const auto& transfer) { return !transfer.to.allocation || !transfer.from.allocation; };
  if (const auto* const copy = std::get_if<Copy>(&operation)) return hasHostEnd(*copy);
  if (const auto* const rect = std::get_if<RectCopy>(&operation)) return hasHostEnd(*rect);
  return std::holds_alternative<HostFunction>(operation);
}

}  // namespace

// --- order -----------------------------------------------------------------------------------------------------------

void JoinedOperation::begin(Parts& parts, PartStreams& streams, Submission& asked, Start start,
                            std::span<Submission* const> after) {
  auto whole = std::make_unique<JoinedOperation>(Private(), parts, streams, asked);
  whole->earlier_ = parts.order.add(asked, *whole, after, parts.count());
  JoinedOperation& begun = *whole.release();
  if (begun.earlier_.count == 0) return begun.goOn(start);
  if (begun.earlier_.allRun && !usesHostMemory(*asked.operation)) begun.beginBehind(start);
  begun.earlierEnded();
}

void JoinedOperation::beginBehind(Start start) {
  if (!guarded([&] { plan(); }) || !plan_.result || !isPrepared()) return;  // said again when they have ended
  if (!guarded([&] { record(); })) return;
  runsBehind_ = true;
  pending_.store(pieces_.size() + 1, std::memory_order_relaxed);  // the last one goes when the earlier ones have ended
  submitPieces(start);
}

void JoinedOperation::earlierEnded() noexcept {
  if (earlierLeft_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (runsBehind_) return endPiece();
  for (auto& each : earlier_.tails) each.clear();
  goOn(Start::AtOnce);
}

void JoinedOperation::goOn(Start start) noexcept {
  Result result = guarded([&] { plan(); });
  if (result) result = std::move(plan_.result);
  if (!result) {
    failed(std::move(result));
    return finish();
  }
  if (prepareAll()) run(start);
}

void JoinedOperation::plan() {
  if (isPlanned_) return;
  pieces_.clear();
  plan_ = planOf(*asked_.operation, parts_);
  for (PartOperation& each : plan_.operations) {
    auto piece = std::make_shared<PartSubmission>();
    piece->whole = this;
    piece->own = std::move(each);
    piece->operation = &piece->own.operation;
    piece->timed = plan_.kernel != nullptr || asked_.timed;
    pieces_.push_back(std::move(piece));
  }
  isPlanned_ = true;
}

bool JoinedOperation::isPrepared() const {
  return std::ranges::all_of(plan_.needs, [](const Need& each) {
    return each.allocation->residency().isPrepared(JoinedAllocation::place(each.part), each.range, each.content);
  });
}

// --- content ---------------------------------------------------------------------------------------------------------

bool JoinedOperation::prepareAll() noexcept {
  // One more than there is to wait for, so that this round ends before the next one begins.
  pending_.store(1, std::memory_order_relaxed);
  const std::size_t first = transfers_.size();
  bool complete = true;
  for (const Need& each : plan_.needs) complete = prepare(each) && complete;
  if (complete) return true;
  for (std::size_t i = first, last = transfers_.size(); i < last; ++i) startTransfer(transfers_[i]);
  endOne();
  return false;
}

bool JoinedOperation::prepare(const Need& need) noexcept {
  support::Residency& residency = need.allocation->residency();
  const Place place = JoinedAllocation::place(need.part);
  std::vector<support::Residency::Transfer> wanted;
  std::size_t added = 0;
  bool prepared = true;
  pending_.fetch_add(1, std::memory_order_relaxed);
  Result result = guarded([&] {
    prepared = residency.prepare(place, need.range, need.content, wanted, *this);
    for (; added < wanted.size(); ++added) addTransfer(*need.allocation, wanted[added]);
  });
  if (prepared) pending_.fetch_sub(1, std::memory_order_relaxed);
  if (result) return prepared;
  failed(std::move(result));
  for (; added < wanted.size(); ++added) residency.ended(wanted[added], false);
  return false;
}

void JoinedOperation::addTransfer(JoinedAllocation& allocation, const support::Residency::Transfer& what) {
  Transfer& transfer = transfers_.emplace_back();
  transfer.whole = this;
  transfer.allocation = &allocation;
  transfer.what = what;
  pending_.fetch_add(1, std::memory_order_relaxed);
}

void JoinedOperation::startTransfer(Transfer& transfer) noexcept {
  Result result = guarded([&] {
    const auto [id, fromPlace, toPlace, range] = transfer.what;
    const PartIndex from = JoinedAllocation::partAt(fromPlace), to = JoinedAllocation::partAt(toPlace);
    Allocation &source = transfer.allocation->copy(from), &target = transfer.allocation->copy(to);
    const Location begin{.allocation = &source, .offset = range.begin};
    const Location end{.allocation = &target, .offset = range.begin};
    transfer.begun = support::hostTime();
    if (parts_.pool->arePeers(from, to)) return submitTransfer(transfer, to, end, begin);
    if (source.hostAddress()) return submitTransfer(transfer, to, end, Location::inHost(begin.hostAddress()));
    if (target.hostAddress()) return submitTransfer(transfer, from, Location::inHost(end.hostAddress()), begin);
    transfer.staging = std::make_unique_for_overwrite<std::byte[]>(range.size());
    transfer.isHalfWay = true;
    submitTransfer(transfer, from, Location::inHost(transfer.staging.get()), begin);
  });
  if (!result) {
    transfer.isHalfWay = false;
    transfer.complete(std::move(result), {});
  }
}

void JoinedOperation::submitTransfer(Transfer& transfer, PartIndex part, Location to, Location from) {
  transfer.copy = Copy{.to = to, .from = from, .bytes = transfer.what.range.size()};
  transfer.operation = &transfer.copy;
  streams_[part]->submit(transfer, Start::AtOnce, {});
}

void JoinedOperation::Transfer::complete(Result result, const Times&) noexcept {
  JoinedOperation& its = *whole;
  if (result && std::exchange(isHalfWay, false)) {
    const Location end{.allocation = &allocation->copy(JoinedAllocation::partAt(what.to)), .offset = what.range.begin};
    link.reset();
    return its.submitTransfer(*this, JoinedAllocation::partAt(what.to), end, Location::inHost(staging.get()));
  }
  const bool succeeded{result};
  if (succeeded)
    its.learnFrom(*this);
  else
    its.failed(std::move(result));
  done.store(true, std::memory_order_release);
  allocation->residency().ended(what, succeeded);
  its.endOne();  // which may delete the whole and this
}

void JoinedOperation::learnFrom(const Transfer& transfer) {
  const std::size_t bytes = transfer.what.range.size();
  const std::uint64_t time = support::hostTime() - transfer.begun;
  if (bytes < leastOfMeasured || time == 0) return;
  const double measured = static_cast<double>(bytes) / static_cast<double>(time);
  const double known = parts_.bytesPerNanosecond.load(std::memory_order_relaxed);
  parts_.bytesPerNanosecond.store(known + newestTransfer * (measured - known), std::memory_order_relaxed);
}

void JoinedOperation::endOne() noexcept {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // All that this waited for has ended, so no other thread uses it any more.
  if (!failure_) return finish();
  if (prepareAll()) run(Start::AtOnce);
}

// --- operations ------------------------------------------------------------------------------------------------------

void JoinedOperation::record() {
  for (const Need& each : plan_.needs) {
    if (each.isWrite) each.allocation->residency().written(JoinedAllocation::place(each.part), each.range);
    if (each.isOwn) each.allocation->setUser(each.part, each.range);
  }
}

void JoinedOperation::run(Start start) noexcept {
  if (Result result = guarded([&] { record(); }); !result) {
    failed(std::move(result));
    return finish();
  }
  pending_.store(pieces_.size() + 1, std::memory_order_relaxed);
  submitPieces(start);
  endPiece();
}

/// Its own operation is not used any more where this has ended: `pending_` keeps it until all are submitted.
void JoinedOperation::submitPieces(Start start) noexcept {
  Tails tails = std::move(earlier_.tails);
  for (const std::shared_ptr<PartSubmission>& each : pieces_) {
    Result result = guarded([&] {
      std::vector<Submission*> after;
      if (runsBehind_)
        for (const std::shared_ptr<Submission>& earlier : tails[each->own.part]) after.push_back(earlier.get());
      streams_[each->own.part]->submit(*each, start, after);
    });
    if (!result) each->complete(std::move(result), {});
  }
  // All parts begin now: a thread that executes operations itself would go on with one after the other.
  if (pieces_.size() > 1)
    for (const std::shared_ptr<PartSubmission>& each : pieces_) streams_[each->own.part]->flush();
  (void)guarded([&] {
    // A part that has none of this has what was there before.
    std::vector<bool> has(tails.size());
    for (const std::shared_ptr<PartSubmission>& each : pieces_) {
      if (!has[each->own.part]) tails[each->own.part].clear();
      has[each->own.part] = true;
      tails[each->own.part].push_back(each);
    }
    parts_.order.runs(asked_, *this, std::move(tails));
  });
}

void JoinedOperation::pieceStarted() noexcept {
  if (!hasStarted_.exchange(true, std::memory_order_relaxed)) asked_.started();
}

void JoinedOperation::PartSubmission::complete(Result result, const Times& when) noexcept {
  JoinedOperation& its = *whole;
  times = when;
  if (!result) its.failed(std::move(result));
  done.store(true, std::memory_order_release);
  its.endPiece();  // which may delete the whole and this
}

void JoinedOperation::endPiece() noexcept {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) finish();
}

void JoinedOperation::failed(Result result) noexcept {
  const std::lock_guard lock(mutex_);
  if (failure_) failure_ = std::move(result);
}

void JoinedOperation::finish() noexcept {
  Times all;
  for (const std::shared_ptr<PartSubmission>& each : pieces_) {
    const Times& own = each->times;
    if (own.started != 0 && (all.started == 0 || own.started < all.started)) all.started = own.started;
    all.ended = std::max(all.ended, own.ended);
    all.completed = std::max(all.completed, own.completed);
    if (plan_.kernel && failure_ && own.ended > own.started && own.started != 0)
      plan_.kernel->speeds.learn(each->own.part, each->own.items, static_cast<double>(own.ended - own.started));
  }
  if (all.completed != 0) all.completed = std::max(all.completed, all.ended);
  Order& order = parts_.order;
  const Submission* const asked = &asked_;
  asked_.complete(std::move(failure_), all);  // which may destroy it and the stream
  order.ended(asked, this);
  delete this;
}

}  // namespace clarity::device::joined
