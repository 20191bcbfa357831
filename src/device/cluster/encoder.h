// SPDX-License-Identifier: Apache-2.0
// This file turns an operation into a message, and what comes of it into the operation's result.
#pragma once

#include "device/cluster/node.h"
#include "device/cluster/pending.h"
#include "device/cluster/protocol.h"
#include "device/stream.h"

namespace clarity::device::cluster {

/// Content of the host is read when the message is written, or sent in pieces from where it is: nothing changes it
/// until then (Node::mustWait). A fault of the host's memory is a Result; then what was written is to be dropped.
class Encoder {
public:
  /// With the node's lock.
  Encoder(Node& node, Pending& pending, Writer& to) : node_(node), pending_(pending), to_(to) {}

  Result encode(Operation&);
  /// Only takes its turn.
  void encodeNothing();

  /// Makes a copy of a rectangle a plain one where nothing lies between its rows: its content needs not be gathered.
  static void simplify(Operation&);
  /// The memory of the host that an operation reads.
  static HostRange hostRead(const Operation&);
  /// The rest when the node has done its part: content to the host's memory. Without a lock.
  static Result conclude(Pending&, Operation&);

private:
  struct Visitor;
  std::size_t begin(Work);
  void end(std::size_t head);
  /// A copy within the host's memory, which conclude() does in its turn.
  Result onHost(const std::byte* written, std::size_t bytes);
  Result write(const Copy&);
  Result read(const Copy&);
  Result fromOtherNode(const Copy&);
  Result writeRect(const RectCopy&);
  Result readRect(const RectCopy&);
  Result content(std::span<const std::byte>);
  /// Where the node's content goes; the tag that it is sent with.
  Result expect(std::span<std::byte>);
  /// The source of a program, ahead of its first launch.
  void introduce(const Launch&);
  void launch(const Launch&);

  Node& node_;
  Pending& pending_;
  Writer& to_;
};

}  // namespace clarity::device::cluster
