// SPDX-License-Identifier: Apache-2.0
// This file reads operations.
#include "device/cluster/server/operation_reader.h"

#include <CL/cl.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cluster::server {
namespace {

using cluster::FillShape;
using cluster::Reader;
using cluster::RectShape;
using cluster::Work;

class OperationReader {
public:
  OperationReader(Reader& from, Objects& objects, Task& task) : from_(from), objects_(objects), task_(task) {}

  /// Reads all of it, also when something is wrong with a part.
  bool read() {
    switch (task_.work = from_.get<Work>()) {
      case Work::Nothing: return true;
      case Work::Launch: return cluster::readLaunch(from_, objects_, task_.local.emplace<Launch>());
      case Work::Sequence: return sequence();
      case Work::Copy: return copy();
      case Work::RectCopy: return rectCopy();
      case Work::Fill: return fill();
      case Work::Write: return place() && content();
      case Work::WriteRect: return rectangle() && content();
      case Work::Read: place(); break;
      case Work::ReadRect: rectangle(); break;
      case Work::Receive:
        place();
        task_.rank = from_.get<std::uint32_t>();
        break;
    }
    from_.get(task_.tag);
    return isValid_ && from_.ok();
  }

private:
  /// The number of its allocation.
  std::uint32_t location(Location& place) {
    const auto number = from_.get<std::uint32_t>();
    place = {.allocation = objects_.allocation(number), .offset = from_.get<std::uint64_t>()};
    if (!task_.stream)
      if (Device* const device = objects_.deviceOf(number)) task_.stream = objects_.ownStream(device);
    isValid_ = isValid_ && place.allocation && place.offset <= place.allocation->bytes();
    return number;
  }
  bool place() {
    location(task_.place);
    from_.get(task_.bytes);
    isValid_ = isValid_ && task_.bytes <= task_.place.allocation->bytes() - task_.place.offset;
    return from_.ok();
  }
  bool rectangle() {
    location(task_.place);
    from_.get(task_.shape);
    task_.bytes = task_.shape.bytes();
    return from_.ok();
  }
  bool content() {
    from_.get(task_.tag);
    if (task_.tag != 0) return isValid_ && from_.ok();
    const auto inside = from_.bytes(task_.bytes);
    task_.content.assign(inside.begin(), inside.end());
    return isValid_ && from_.ok();
  }
  bool sequence() {
    Sequence& sequence = task_.local.emplace<Sequence>();
    for (auto left = from_.get<std::uint32_t>(); left != 0; --left)
      if (!cluster::readLaunch(from_, objects_, sequence.launches.emplace_back())) return false;
    return from_.ok();
  }
  bool copy() {
    Copy& copy = task_.local.emplace<Copy>();
    toNumber_ = location(copy.to);
    fromNumber_ = location(copy.from);
    copy.bytes = from_.get<std::uint64_t>();
    if (isValid_) bringTogether(copy);
    return isValid_ && from_.ok();
  }
  /// The memory of two devices of the node: where the host can access one, the other device copies from and to it.
  void bringTogether(Copy& copy) {
    Device* const to = objects_.deviceOf(toNumber_);
    Device* const from = objects_.deviceOf(fromNumber_);
    if (&to->memory() == &from->memory()) return;
    for (Location* const end : {&copy.from, &copy.to})
      if (end->hostAddress()) *end = Location::inHost(end->hostAddress());
    task_.stream = objects_.ownStream(copy.to.allocation ? to : from);
  }
  bool rectCopy() {
    RectCopy& copy = task_.local.emplace<RectCopy>();
    location(copy.to);
    location(copy.from);
    const auto shape = from_.get<RectShape>();
    std::ranges::copy(shape.region, copy.region.begin());
    copy.toRowPitch = shape.nodeRow;
    copy.toSlicePitch = shape.nodeSlice;
    copy.fromRowPitch = shape.otherRow;
    copy.fromSlicePitch = shape.otherSlice;
    return isValid_ && from_.ok();
  }
  bool fill() {
    Fill& fill = task_.local.emplace<Fill>();
    location(fill.to);
    const auto shape = from_.get<FillShape>();
    fill.bytes = shape.bytes;
    fill.rows = shape.rows;
    fill.slices = shape.slices;
    fill.rowPitch = shape.rowPitch;
    fill.slicePitch = shape.slicePitch;
    fill.patternBytes = std::min<std::size_t>(shape.patternBytes, fill.pattern.size());
    const auto pattern = from_.bytes(fill.patternBytes);
    std::ranges::copy(pattern, fill.pattern.begin());
    return isValid_ && from_.ok();
  }

  Reader& from_;
  Objects& objects_;
  Task& task_;
  bool isValid_ = true;
  std::uint32_t toNumber_ = 0, fromNumber_ = 0;
};

/// The numbers of an operation's programs come first in each launch, and all launches of one are of one program.
Program* ofLaunch(Reader& from, Objects& objects) {
  Program* const program = objects.program(from.get<cluster::LaunchNames>().executable);
  return program && !program->isThere() ? program : nullptr;
}

}  // namespace

Program* missingProgram(Reader& from, Objects& objects) {
  switch (from.get<Work>()) {
    case Work::Launch: return ofLaunch(from, objects);
    case Work::Sequence: return from.get<std::uint32_t>() != 0 ? ofLaunch(from, objects) : nullptr;
    default: return nullptr;
  }
}

void readOperation(Reader& from, Objects& objects, Task& task) {
  (void)objects.takeObjection();
  const bool isRead = OperationReader(from, objects, task).read();
  task.failure = objects.takeObjection();
  if (!isRead && task.failure) task.failure = {CL_INVALID_OPERATION, "the node could not read the command"};
  if (!task.stream && task.failure && task.work != Work::Nothing)
    task.failure = {CL_INVALID_COMMAND_QUEUE, "the node has no such command-queue"};
}

}  // namespace clarity::device::cluster::server
