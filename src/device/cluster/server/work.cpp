// SPDX-License-Identifier: Apache-2.0
// This file executes commands on a node: by the local devices, and content by the transport.
#include "device/cluster/server/server.h"
#include "device/cluster/server/staged_transfer.h"
#include "device/cluster/server/task.h"
#include "support/clock.h"

#include <CL/cl.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace clarity::device::cluster::server {
namespace {

using cluster::forPieces;
using cluster::piecesOf;
using cluster::Work;

RectCopy rectangle(const Task& task, bool toDevice, std::byte* rows) {
  RectCopy copy;
  std::ranges::copy(task.shape.region, copy.region.begin());
  const std::size_t row = task.shape.region[0], slice = row * task.shape.region[1];
  const Location packed = Location::inHost(rows);
  copy.to = toDevice ? task.place : packed;
  copy.from = toDevice ? packed : task.place;
  copy.toRowPitch = toDevice ? task.shape.nodeRow : row;
  copy.toSlicePitch = toDevice ? task.shape.nodeSlice : slice;
  copy.fromRowPitch = toDevice ? row : task.shape.nodeRow;
  copy.fromSlicePitch = toDevice ? slice : task.shape.nodeSlice;
  return copy;
}

void runLocally(Task& task) {
  task.operation = &task.local;
  task.timed = task.isTimed;
  task.server.submitLocally(task, task.stream);
}

void sendPieces(Task& task, const std::byte* from) {
  task.parts.store(piecesOf(task.bytes));
  forPieces(task.bytes, [&](std::size_t at, std::size_t bytes) {
    task.server.transport().sendPiece(task.rank, task.tag, {from + at, bytes}, task);
  });
}

void receivePieces(Task& task, std::byte* to) {
  task.parts.store(piecesOf(task.bytes));
  forPieces(task.bytes, [&](std::size_t at, std::size_t bytes) {
    task.server.transport().receivePiece(task.rank, task.tag, {to + at, bytes}, task);
  });
}

void write(Task& task) {
  if (task.bytes == 0) return end(task);
  std::byte* const direct = task.place.allocation->hostAddress();
  if (task.tag == 0) {
    if (!direct) {
      task.local = Copy{.to = task.place, .from = Location::inHost(task.content.data()), .bytes = task.bytes};
      return runLocally(task);
    }
    std::memcpy(direct + task.place.offset, task.content.data(), task.bytes);
    return end(task);
  }
  if (!direct) return StagedTransfer::receive(task);
  receivePieces(task, direct + task.place.offset);
}

void read(Task& task) {
  const std::byte* const direct = task.place.allocation->hostAddress();
  if (task.tag == 0) {
    if (direct) return end(task, {}, {direct + task.place.offset, task.bytes});
    task.content.resize(task.bytes);
    task.local = Copy{.to = Location::inHost(task.content.data()), .from = task.place, .bytes = task.bytes};
    return runLocally(task);
  }
  if (task.bytes == 0) return end(task);
  if (!direct) return StagedTransfer::send(task);
  sendPieces(task, direct + task.place.offset);
}

void writeRect(Task& task) {
  if (task.tag != 0 && task.bytes != 0 && !task.isSecondStep) {
    task.content.resize(task.bytes);
    task.isSecondStep = true;
    return receivePieces(task, task.content.data());
  }
  task.local = rectangle(task, true, task.content.data());
  runLocally(task);
}

void readRect(Task& task) {
  task.content.resize(task.bytes);
  task.local = rectangle(task, false, task.content.data());
  runLocally(task);
}

/// The other rank sends its content all the same, or waits for it: then it gets none.
void fail(Task& task) {
  const bool isMoved = task.tag != 0 && task.bytes != 0 && task.work != Work::Launch;
  if (!isMoved || task.isSecondStep) return end(task, task.failure);
  const bool isSent = task.work == Work::Read || task.work == Work::ReadRect;
  const std::size_t room = isSent ? 0 : std::min<std::size_t>(task.bytes, cluster::pieceBytes);
  if (Result result = guarded([&] { task.content.resize(room); }); !result)
    return task.server.stop("it has no memory left, not even to go on without");
  task.isSecondStep = true;
  task.parts.store(piecesOf(task.bytes));
  forPieces(task.bytes, [&](std::size_t, std::size_t bytes) {
    cluster::Transport& transport = task.server.transport();
    if (isSent)
      transport.sendPiece(task.rank, task.tag, {}, task);
    else
      transport.receivePiece(task.rank, task.tag, std::span(task.content).first(bytes), task);
  });
}

}  // namespace

void end(Task& task, Result result, std::span<const std::byte> content) {
  task.server.ended(task, std::move(result), {task.began, task.isTimed ? support::hostTime() : 0, 0}, content);
}

void Server::execute(Task& task) {
  if (task.isTimed) task.began = support::hostTime();
  if (!task.failure) return fail(task);
  Result result = guarded([&] {
    switch (task.work) {
      case Work::Nothing: return end(task);
      case Work::Write:
      case Work::Receive: return write(task);
      case Work::WriteRect: return writeRect(task);
      case Work::Read: return read(task);
      case Work::ReadRect: return readRect(task);
      default: return runLocally(task);
    }
  });
  if (result) return;  // and the task may be gone
  task.failure = std::move(result);
  fail(task);
}

void Task::started() noexcept { server.hasStarted(*this); }

void Task::complete(Result result, const Times& times) noexcept {
  if (work == Work::ReadRect && tag != 0 && bytes != 0) {
    failure = std::move(result);
    return sendPieces(*this, content.data());
  }
  const bool isRead = work == Work::Read || work == Work::ReadRect;
  server.ended(*this, std::move(result), times, isRead ? std::span<const std::byte>(content) : std::span<std::byte>());
}

void Task::moved(bool whole) noexcept {
  if (!whole) isCut.store(true);
  if (parts.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (!failure) return end(*this, failure);
  if (isCut.load()) return end(*this, {CL_DEVICE_NOT_AVAILABLE, "content of another node did not come"});
  if (work == Work::WriteRect) return server.run(*this);
  end(*this);
}

}  // namespace clarity::device::cluster::server
