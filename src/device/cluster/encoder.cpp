// SPDX-License-Identifier: Apache-2.0
// This file writes operations.
#include "device/cluster/encoder.h"

#include "device/cluster/cluster.h"
#include "device/cluster/host_memory.h"
#include "device/cluster/launch_message.h"
#include "device/cluster/remote_executable.h"
#include "device/cluster/remote_memory.h"
#include "device/host/transfers.h"
#include "device/observer.h"

#include <CL/cl.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace clarity::device::cluster {
namespace {

HostRange rangeOf(const std::byte* begin, std::size_t bytes) { return {begin, begin + bytes}; }

std::size_t spanOf(const std::array<std::size_t, 3>& region, std::size_t row, std::size_t slice) {
  if (region[0] == 0 || region[1] == 0 || region[2] == 0) return 0;
  return (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
}

/// The shape as a node sees it that has the end `to`, or the other.
RectShape shapeOf(const RectCopy& copy, bool nodeIsTo) {
  RectShape shape{};
  std::ranges::copy(copy.region, shape.region);
  shape.nodeRow = nodeIsTo ? copy.toRowPitch : copy.fromRowPitch;
  shape.nodeSlice = nodeIsTo ? copy.toSlicePitch : copy.fromSlicePitch;
  shape.otherRow = nodeIsTo ? copy.fromRowPitch : copy.toRowPitch;
  shape.otherSlice = nodeIsTo ? copy.fromSlicePitch : copy.toSlicePitch;
  return shape;
}

void place(Writer& to, const Location& location) {
  to.put(numberOf(location.allocation)).put<std::uint64_t>(location.offset);
}

Result cannot(const char* what) {
  return {CL_INVALID_OPERATION, std::string("a device on another node cannot ") + what};
}

}  // namespace

struct Encoder::Visitor {
  Encoder& its;

  Result operator()(const Launch& launch) const {
    its.introduce(launch);
    const std::size_t head = its.begin(Work::Launch);
    its.launch(launch);
    its.end(head);
    return {};
  }
  Result operator()(const Sequence& sequence) const {
    for (const Launch& launch : sequence.launches) its.introduce(launch);
    const std::size_t head = its.begin(Work::Sequence);
    its.to_.put(static_cast<std::uint32_t>(sequence.launches.size()));
    for (const Launch& launch : sequence.launches) its.launch(launch);
    its.end(head);
    return {};
  }
  Result operator()(const Copy& copy) const {
    if (!copy.to.allocation && !copy.from.allocation) return its.onHost(copy.to.host, copy.bytes);
    if (!copy.from.allocation) return its.write(copy);
    if (!copy.to.allocation) return its.read(copy);
    if (&nodeOf(copy.from.allocation) != &nodeOf(copy.to.allocation)) return its.fromOtherNode(copy);
    const std::size_t head = its.begin(Work::Copy);
    place(its.to_, copy.to);
    place(its.to_, copy.from);
    its.to_.put<std::uint64_t>(copy.bytes);
    its.end(head);
    return {};
  }
  Result operator()(const RectCopy& copy) const {
    if (!copy.to.allocation && !copy.from.allocation)
      return its.onHost(copy.to.host, spanOf(copy.region, copy.toRowPitch, copy.toSlicePitch));
    if (!copy.from.allocation) return its.writeRect(copy);
    if (!copy.to.allocation) return its.readRect(copy);
    const std::size_t head = its.begin(Work::RectCopy);
    place(its.to_, copy.to);
    place(its.to_, copy.from);
    its.to_.put(shapeOf(copy, true));
    its.end(head);
    return {};
  }
  Result operator()(const Fill& fill) const {
    const std::size_t head = its.begin(Work::Fill);
    place(its.to_, fill.to);
    its.to_.put(FillShape{fill.bytes, fill.rows, fill.slices, fill.rowPitch, fill.slicePitch, fill.patternBytes});
    its.to_.bytes(std::span(fill.pattern).first(fill.patternBytes));
    its.end(head);
    return {};
  }
  Result operator()(const HostFunction&) const { return cannot("run functions of the host"); }
  Result operator()(const Replay&) const { return cannot("replay recordings"); }
  Result operator()(const Move&) const { return cannot("move memory that is shared by address"); }
};

Result Encoder::encode(Operation& operation) { return std::visit(Visitor{*this}, operation); }

Result Encoder::onHost(const std::byte* written, std::size_t bytes) {
  pending_.writes = rangeOf(written, bytes);
  encodeNothing();
  return {};
}

void Encoder::encodeNothing() { end(begin(Work::Nothing)); }

std::size_t Encoder::begin(Work work) {
  to_.put(ToNode::Submit);
  const std::size_t head = to_.size();
  to_.put(SubmitHead{pending_.id, pending_.stream, static_cast<std::uint32_t>(pending_.after.size()), 0,
                     static_cast<std::uint8_t>(pending_.profiled ? isTimed : 0)});
  for (const std::uint64_t id : pending_.after) to_.put(id);
  to_.put(work);
  return head;
}

void Encoder::end(std::size_t head) {
  const std::size_t operation = head + sizeof(SubmitHead) + pending_.after.size() * sizeof(std::uint64_t);
  to_.overwrite(head + offsetof(SubmitHead, bytes), static_cast<std::uint32_t>(to_.size() - operation));
}

void Encoder::introduce(const Launch& launch) { static_cast<RemoteExecutable&>(*launch.executable).writeSource(to_); }

void Encoder::launch(const Launch& launch) {
  auto& executable = static_cast<RemoteExecutable&>(*launch.executable);
  const auto& kernels = executable.compiled().kernels;
  const LaunchNames names{executable.number(), static_cast<std::uint32_t>(launch.info - kernels.data()),
                          node_.endFlagOf(launch.ended)};
  pending_.endFlag = launch.ended;
  if (launch.observer) launch.observer->cannotObserve(*launch.info, "it runs on another node");
  writeLaunch(to_, launch, names);
}

Result Encoder::content(std::span<const std::byte> from) {
  if (from.size() <= mostInside && (from.empty() || node_.inside_ + from.size() <= mostInsideOfAll)) {
    to_.put<std::uint64_t>(0);
    const std::size_t at = to_.size();
    to_.bytes(from.size());
    node_.inside_ += pending_.inside = from.size();
    return copyGuarded(to_.data() + at, from.data(), from.size());
  }
  if (Result result = host::canAccess(from.data(), from.size(), false); !result) return result;
  const std::uint64_t tag = node_.cluster_.newTag();
  to_.put(tag);
  pending_.parts.store(piecesOf(from.size()), std::memory_order_relaxed);
  forPieces(from.size(), [&](std::size_t at, std::size_t bytes) {
    node_.cluster_.transport().sendPiece(node_.rank(), tag, from.subspan(at, bytes), pending_);
  });
  return {};
}

Result Encoder::expect(std::span<std::byte> to) {
  if (to.size() <= mostInside) {
    to_.put<std::uint64_t>(0);
    return {};
  }
  if (Result result = host::canAccess(to.data(), to.size(), true); !result) return result;
  const std::uint64_t tag = node_.cluster_.newTag();
  to_.put(tag);
  pending_.parts.store(piecesOf(to.size()), std::memory_order_relaxed);
  forPieces(to.size(), [&](std::size_t at, std::size_t bytes) {
    node_.cluster_.transport().receivePiece(node_.rank(), tag, to.subspan(at, bytes), pending_);
  });
  return {};
}

Result Encoder::write(const Copy& copy) {
  const std::size_t head = begin(Work::Write);
  place(to_, copy.to);
  to_.put<std::uint64_t>(copy.bytes);
  Result result = content({copy.from.host, copy.bytes});
  end(head);
  return result;
}

Result Encoder::read(const Copy& copy) {
  const std::size_t head = begin(Work::Read);
  place(to_, copy.from);
  to_.put<std::uint64_t>(copy.bytes);
  pending_.writes = rangeOf(copy.to.host, copy.bytes);
  Result result = expect({copy.to.host, copy.bytes});
  end(head);
  return result;
}

Result Encoder::fromOtherNode(const Copy& copy) {
  Node& other = nodeOf(copy.from.allocation);
  if (other.isLost()) return {CL_DEVICE_NOT_AVAILABLE, other.describe() + ", which has the content, is not available"};
  const std::uint64_t tag = node_.cluster_.newTag();
  // Commands that wrote the content have ended: residency moves nothing else. So the other node sends it at once. The
  // message goes by itself: two nodes' locks would wait for each other.
  Writer to;
  to.put(ToNode::Send);
  place(to, copy.from);
  to.put<std::uint64_t>(copy.bytes).put(std::uint32_t{node_.rank()}).put(tag);
  node_.cluster_.transport().send(other.rank(), to.take());
  const std::size_t head = begin(Work::Receive);
  place(to_, copy.to);
  to_.put<std::uint64_t>(copy.bytes).put(std::uint32_t{other.rank()}).put(tag);
  end(head);
  return {};
}

Result Encoder::writeRect(const RectCopy& copy) {
  const std::size_t head = begin(Work::WriteRect);
  place(to_, copy.to);
  RectShape shape = shapeOf(copy, true);
  to_.put(shape);
  pending_.rows.resize(shape.bytes());
  Result result = gather(pending_.rows.data(), copy.from.host, shape);
  if (result) result = content(pending_.rows);
  end(head);
  return result;
}

Result Encoder::readRect(const RectCopy& copy) {
  const std::size_t head = begin(Work::ReadRect);
  place(to_, copy.from);
  const RectShape shape = shapeOf(copy, false);
  to_.put(shape);
  pending_.writes = rangeOf(copy.to.host, spanOf(copy.region, copy.toRowPitch, copy.toSlicePitch));
  pending_.rows.resize(shape.bytes());
  Result result = expect(pending_.rows);
  end(head);
  return result;
}

void Encoder::simplify(Operation& operation) {
  const auto* const rect = std::get_if<RectCopy>(&operation);
  if (!rect) return;
  const auto [bytes, rows, slices] = rect->region;
  const auto isWhole = [&](std::size_t row, std::size_t slice) {
    return (rows == 1 || row == bytes) && (slices == 1 || slice == bytes * rows);
  };
  if (!isWhole(rect->toRowPitch, rect->toSlicePitch) || !isWhole(rect->fromRowPitch, rect->fromSlicePitch)) return;
  const Copy copy{.to = rect->to, .from = rect->from, .bytes = bytes * rows * slices};
  operation = copy;
}

HostRange Encoder::hostRead(const Operation& operation) {
  if (const auto* const copy = std::get_if<Copy>(&operation))
    return copy->from.allocation ? HostRange{} : rangeOf(copy->from.host, copy->bytes);
  if (const auto* const copy = std::get_if<RectCopy>(&operation))
    return copy->from.allocation
               ? HostRange{}
               : rangeOf(copy->from.host, spanOf(copy->region, copy->fromRowPitch, copy->fromSlicePitch));
  return {};
}

Result Encoder::conclude(Pending& pending, Operation& operation) {
  if (const auto* const copy = std::get_if<Copy>(&operation)) {
    if (copy->to.allocation) return {};
    if (!copy->from.allocation) return copyGuarded(copy->to.host, copy->from.host, copy->bytes);
    // Larger content has come to its place.
    if (copy->bytes > mostInside || copy->bytes > pending.rows.size()) return {};
    return copyGuarded(copy->to.host, pending.rows.data(), copy->bytes);
  }
  const auto* const copy = std::get_if<RectCopy>(&operation);
  if (!copy || copy->to.allocation) return {};
  if (copy->from.allocation) return scatter(copy->to.host, pending.rows.data(), shapeOf(*copy, false));
  std::vector<std::byte> rows(shapeOf(*copy, true).bytes());
  Result result = gather(rows.data(), copy->from.host, shapeOf(*copy, true));
  return result ? scatter(copy->to.host, rows.data(), shapeOf(*copy, false)) : result;
}

}  // namespace clarity::device::cluster
