// SPDX-License-Identifier: Apache-2.0
// This file is the way between the processes of a cluster, its ranks, as the device and the server of a node use it. It
// knows no MPI: mpi/ is one implementation, in_process.h another.
//
// There are two kinds of traffic. Frames are bytes that the receiver does not expect; they arrive in the order in which
// they were sent. Pieces are content: each side says where its end is, both name the same tag, and nothing is copied in
// between where the transport can do without.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device::cluster {

using Bytes = std::vector<std::byte>;

/// One end of a piece of content. Whoever gives it to a transport keeps it until then.
class Piece {
public:
  /// The piece has gone, or has come, as a whole; false: the other rank is lost, or has sent less than was asked for.
  /// Called in Transport::progress().
  virtual void moved(bool whole) noexcept = 0;

protected:
  ~Piece() = default;
};

/// Gets what arrives at a rank. Called in Transport::progress(), by one thread at a time.
class Receiver {
public:
  virtual void received(unsigned from, std::span<const std::byte> frame) noexcept = 0;
  /// A rank is gone, or cannot be reached; nothing more comes from it. Once for each rank.
  virtual void lost(unsigned rank, std::string_view why) noexcept = 0;

protected:
  ~Receiver() = default;
};

/// A process among the ranks of a cluster. Thread-safe; calls return at once and never fail: a rank that does not get
/// what was sent is reported as lost.
class Transport {
public:
  virtual ~Transport() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;

  virtual void send(unsigned to, Bytes frame) = 0;
  /// Pieces of one tag, from one rank to another, arrive in the order in which they were sent. One who has no content
  /// sends empty ones, so that the receiver does not wait.
  virtual void sendPiece(unsigned to, std::uint64_t tag, std::span<const std::byte> content, Piece&) = 0;
  virtual void receivePiece(unsigned from, std::uint64_t tag, std::span<std::byte> content, Piece&) = 0;

  /// Carries on with all that is under way and hands over what has arrived. Whether anything was done; false at once
  /// if another thread is inside.
  virtual bool progress(Receiver&) = 0;
  /// Whether something is under way that needs progress() to go on.
  virtual bool isBusy() const = 0;
  /// Sleeps until something may have arrived, for so long at most.
  virtual void rest(std::chrono::microseconds) = 0;

  /// A rank is not to be waited for any more: its pieces end.
  virtual void giveUp(unsigned rank, std::string_view why) = 0;
  /// The last call: what was sent has arrived before it returns, unless ranks are lost.
  virtual void leave() = 0;
};

}  // namespace clarity::device::cluster
