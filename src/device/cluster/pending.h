// SPDX-License-Identifier: Apache-2.0
// This file is a command on its way through a node.
#pragma once

#include "device/cluster/host_ranges.h"
#include "device/cluster/transport.h"
#include "device/stream.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace clarity::device::cluster {

class Node;

/// Used again and again: a place in the table of its node.
struct Pending final : Piece {
  explicit Pending(Node& its) : node(its) {}
  void moved(bool whole) noexcept override;

  Node& node;
  Submission* submission = nullptr;
  std::uint64_t id = 0;  ///< 0: unused
  std::uint32_t stream = 0;
  bool profiled = false, isHeld = false, isFinishing = false;
  std::vector<std::uint64_t> after;     ///< ids
  std::atomic<std::uint32_t> parts{0};  ///< pieces that have not moved yet
  std::atomic<bool> isCut{false};       ///< one did not move as a whole
  std::size_t inside = 0;               ///< bytes of content in its message
  HostRange writes;                     ///< memory of the host that it writes
  std::vector<std::byte> rows;          ///< content of a rectangle, without gaps
  const std::atomic<bool>* endFlag = nullptr;
  std::uint64_t submitted = 0;  ///< time
  bool ran = false;             ///< the node has answered
  bool hasStarted = false;      ///< and has said so
  Result result;
  Times times;
};

}  // namespace clarity::device::cluster
