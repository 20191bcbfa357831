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
                            std::span<Submission* const> after, const void* order) {
  auto whole = std::make_unique<JoinedOperation>(Private(), parts, streams, asked, start, order);
  const bool allRun = parts.order.add(asked, *whole, after, parts.count());
  JoinedOperation& begun = *whole.release();
  if (allRun) begun.earlierRun(start);  // otherwise another thread may call it already
}

void JoinedOperation::earlierRun(Start start) noexcept {
  start_ = start;
  if (earlier_.hasAllTails && !usesHostMemory(*asked_.operation)) beginBehind();
  earlierEnded();
}

void JoinedOperation::beginBehind() {
  if (!guarded([&] { plan(); }) || !plan_.result) return;  // said again when they have ended
  bool isFetched = false;
  if (!guarded([&] { isFetched = fetchBehind(); }) || !isFetched) return giveUpTransfers();
  if (Result result = guarded([&] { record(); }); !result) {
    failed(std::move(result));  // a part of it is recorded: a second attempt would find content that has not come
    return giveUpTransfers();
  }
  runsBehind_ = true;
  // The last one goes when the earlier ones have ended.
  pending_.store(transfers_.size() + pieces_.size() + 1, std::memory_order_relaxed);
  submitTransfersBehind(earlier_.tails);
  submitPieces(start_);
}

void JoinedOperation::earlierEnded() noexcept {
  if (earlierLeft_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (runsBehind_) return endPiece();
  for (auto& each : earlier_.tails) each.clear();
  goOn();
}

void JoinedOperation::goOn() noexcept {
  Result result = guarded([&] { plan(); });
  if (result) result = std::move(plan_.result);
  if (!result) failed(std::move(result));
  if (!failure_) return finish();
  if (prepareAll()) run(earlier_.count == 0 ? start_ : Start::AtOnce);
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

// --- content ---------------------------------------------------------------------------------------------------------

bool JoinedOperation::fetchBehind() {
  bool areOrdered = true;
  for (const Need& each : plan_.needs) {
    support::Residency& residency = each.allocation->residency();
    std::vector<support::Residency::Transfer> wanted;
    if (!residency.prepareBehind(JoinedAllocation::place(each.part), each.range, each.content, order_, wanted))
      return false;
    std::size_t added = 0;
    const Result result = guarded([&] {
      for (; added < wanted.size(); ++added) {
        const support::Residency::Transfer& what = wanted[added];
        areOrdered &= parts_.pool->areOrdered(JoinedAllocation::partAt(what.from), JoinedAllocation::partAt(what.to));
        addTransfer(*each.allocation, what);
      }
    });
    for (; added < wanted.size(); ++added) residency.ended(wanted[added], false);
    if (!result || !areOrdered) return false;
  }
  return true;
}

void JoinedOperation::giveUpTransfers() noexcept {
  for (const std::shared_ptr<Transfer>& each : transfers_) each->allocation->residency().ended(each->what, false);
  transfers_.clear();
}

std::vector<std::shared_ptr<Submission>> JoinedOperation::transfersOf(PartIndex part) const {
  std::vector<std::shared_ptr<Submission>> its;
  for (const std::shared_ptr<Transfer>& each : transfers_)
    if (part == JoinedAllocation::partAt(each->what.from) || part == JoinedAllocation::partAt(each->what.to))
      its.push_back(each);
  return its;
}

void JoinedOperation::submitTransfersBehind(const Tails& tails) noexcept {
  for (const std::shared_ptr<Transfer>& each : transfers_) {
    Result result = guarded([&] {
      const PartIndex from = JoinedAllocation::partAt(each->what.from), to = JoinedAllocation::partAt(each->what.to);
      std::vector<Submission*> after;
      for (const PartIndex part : {from, to})
        for (const std::shared_ptr<Submission>& earlier : tails[part]) after.push_back(earlier.get());
      const std::size_t offset = each->what.range.begin;
      each->begun = earlier_.count == 0 ? support::hostTime() : 0;
      submitTransfer(*each, to, {.allocation = &each->allocation->copy(to), .offset = offset},
                     {.allocation = &each->allocation->copy(from), .offset = offset}, after);
    });
    if (!result) each->complete(std::move(result), {});
  }
}

bool JoinedOperation::prepareAll() noexcept {
  // One more than there is to wait for, so that this round ends before the next one begins.
  pending_.store(1, std::memory_order_relaxed);
  const std::size_t first = transfers_.size();
  bool complete = true;
  for (const Need& each : plan_.needs) complete = prepare(each) && complete;
  if (complete) return true;
  for (std::size_t i = first, last = transfers_.size(); i < last; ++i) startTransfer(*transfers_[i]);
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
    for (; added < wanted.size(); ++added) {
      addTransfer(*need.allocation, wanted[added]);
      pending_.fetch_add(1, std::memory_order_relaxed);
    }
  });
  if (prepared) pending_.fetch_sub(1, std::memory_order_relaxed);
  if (result) return prepared;
  failed(std::move(result));
  for (; added < wanted.size(); ++added) residency.ended(wanted[added], false);
  return false;
}

void JoinedOperation::addTransfer(JoinedAllocation& allocation, const support::Residency::Transfer& what) {
  Transfer& transfer = *transfers_.emplace_back(std::make_shared<Transfer>());
  transfer.whole = this;
  transfer.allocation = &allocation;
  transfer.what = what;
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

void JoinedOperation::submitTransfer(Transfer& transfer, PartIndex part, Location to, Location from,
                                     std::span<Submission* const> after) {
  transfer.copy = Copy{.to = to, .from = from, .bytes = transfer.what.range.size()};
  transfer.operation = &transfer.copy;
  streams_[part]->submit(transfer, Start::AtOnce, after);
}

void JoinedOperation::Transfer::complete(Result result, const Times&) noexcept {
  JoinedOperation& its = *whole;
  if (result && std::exchange(isHalfWay, false)) {
    const Location end{.allocation = &allocation->copy(JoinedAllocation::partAt(what.to)), .offset = what.range.begin};
    link.reset();
    return its.submitTransfer(*this, JoinedAllocation::partAt(what.to), end, Location::inHost(staging.get()));
  }
  const bool succeeded{result};
  if (!succeeded)
    its.failed(std::move(result));
  else if (begun != 0)
    its.learnFrom(*this);
  done.store(true, std::memory_order_release);
  allocation->residency().ended(what, succeeded);
  its.runsBehind_ ? its.endPiece() : its.endOne();  // which may delete the whole and this
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
      if (runsBehind_) {
        for (const std::shared_ptr<Submission>& earlier : tails[each->own.part]) after.push_back(earlier.get());
        for (const std::shared_ptr<Submission>& its : transfersOf(each->own.part)) after.push_back(its.get());
      }
      streams_[each->own.part]->submit(*each, start, after);
    });
    if (!result) each->complete(std::move(result), {});
  }
  // All parts begin now: a thread that executes operations itself would go on with one after the other.
  if (pieces_.size() > 1)
    for (const std::shared_ptr<PartSubmission>& each : pieces_) streams_[each->own.part]->flush();
  bool hasTails = false;
  (void)guarded([&] {
    // A part that has none of this has what was there before, and the content that leaves it or comes to it.
    std::vector<bool> has(tails.size());
    if (runsBehind_)
      for (PartIndex part = 0; part < tails.size(); ++part)
        for (std::shared_ptr<Submission>& its : transfersOf(part)) tails[part].push_back(std::move(its));
    for (const std::shared_ptr<PartSubmission>& each : pieces_) {
      if (!has[each->own.part]) tails[each->own.part].clear();
      has[each->own.part] = true;
      tails[each->own.part].push_back(each);
    }
    hasTails = true;
  });
  // Without memory for them, what comes after this waits until it has ended.
  if (hasTails) parts_.order.runs(asked_, *this, tails);
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
