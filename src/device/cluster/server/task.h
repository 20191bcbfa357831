// SPDX-License-Identifier: Apache-2.0
// This file is a command on a node.
#pragma once

#include "device/cluster/protocol.h"
#include "device/cluster/transport.h"
#include "device/stream.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clarity::device::cluster::server {

class Server;
struct Program;

/// A stream of a local device, for one of the host's.
struct LocalStream {
  std::unique_ptr<Stream> stream;
  bool isHelped = false;  ///< its operations run on threads that wait
};

/// A command. Its operation is known when it has come, or when its program has.
struct Task final : Submission, cluster::Piece {
  Task(Server& its, std::uint64_t number) : server(its), id(number) {}

  void started() noexcept override;
  void complete(Result, const Times&) noexcept override;
  bool ended() const noexcept override { return false; }
  void moved(bool whole) noexcept override;

  Server& server;
  std::uint64_t id;
  std::shared_ptr<LocalStream> stream;
  bool isTimed = false;

  // Guarded by the lock of the server.
  std::uint32_t waits = 0;  ///< for so many others, and its program
  std::vector<Task*> dependents;

  cluster::Work work = cluster::Work::Nothing;
  Result failure;  ///< it cannot run
  Operation local;
  Location place;                    ///< on the device, of content that comes or goes
  std::shared_ptr<Allocation> kept;  ///< content for another node, which the host does not wait for
  cluster::RectShape shape{};
  std::uint64_t bytes = 0, tag = 0;
  unsigned rank = 0;       ///< the other end
  cluster::Bytes content;  ///< inside the frames, or rows of a rectangle
  cluster::Bytes unread;   ///< the operation, until its program has come
  std::atomic<std::uint32_t> parts{0};
  std::atomic<bool> isCut{false};  ///< a piece did not come
  std::uint64_t began = 0;
  bool isSecondStep = false;
};

/// A task that is no operation of a local device has ended.
void end(Task&, Result = {}, std::span<const std::byte> content = {});

}  // namespace clarity::device::cluster::server
