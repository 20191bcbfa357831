// SPDX-License-Identifier: Apache-2.0
// This file is what rank 0, the host, and the other ranks, the nodes, say to each other. A frame is one message or
// several, one behind the other; each begins with its kind. The host numbers the objects that it makes on a node, so
// that it can name them in the next message without an answer.
#pragma once

#include "device/cluster/wire.h"

#include <algorithm>
#include <cstdint>

namespace clarity::device::cluster {

/// Ranks understand each other if they say the same.
inline constexpr std::uint32_t protocol = 0x434C0001;

/// Numbers of a node's objects begin here; below are its devices, as it lists them.
inline constexpr std::uint32_t firstNumber = 1u << 16;

/// Content up to this size goes inside the frame of its command.
inline constexpr std::size_t mostInside = 16u << 10;
/// As long as commands that have not ended have no more of it than this: it takes memory here and there.
inline constexpr std::size_t mostInsideOfAll = 64u << 20;
/// Larger content goes in pieces of this size. Where a node cannot receive into the device's memory, the next piece
/// comes while the one before is copied there.
inline constexpr std::size_t pieceBytes = 4u << 20;

/// Content of this size that many nodes need goes along a tree: each step of it takes a round trip to the host more.
inline constexpr std::size_t leastAlongTree = 1u << 20;

/// Calls with the beginning and the size of each piece of so much content; how many there are.
template <class Visit>
std::uint32_t forPieces(std::uint64_t bytes, Visit&& visit) {
  std::uint32_t count = 0;
  for (std::uint64_t at = 0; at < bytes; at += pieceBytes, ++count)
    visit(at, std::min<std::uint64_t>(pieceBytes, bytes - at));
  return count;
}
inline std::uint32_t piecesOf(std::uint64_t bytes) {
  return forPieces(bytes, [](auto, auto) {});
}

enum class ToNode : std::uint8_t {
  Submit,         ///< SubmitHead, ids that it comes after u64 each; an operation
  Send,           ///< allocation u32, offset u64, bytes u64, rank u32, tag u64: to another node, at once
  Allocate,       ///< allocation u32, device u32, bytes u64
  Free,           ///< allocation u32
  Load,           ///< executable u32, device u32, hash u64 u64
  Program,        ///< hash u64 u64, text: the answer to ToHost::Need
  Source,         ///< executable u32, count u32, file names and texts
  Unload,         ///< executable u32
  PrepareKernel,  ///< executable u32, kernel u32
  MakeStream,     ///< stream u32, device u32, outOfOrder u8, profiled u8
  EndStream,      ///< stream u32
  EndDevice,      ///< device u32: a part of another
  EndLaunches,    ///< flag u32
  Partition,      ///< question u64, device u32, byNuma u8, count u32, units u32 each, number of the first part u32
  LargestGroup,   ///< question u64, executable u32, kernel u32
  Ping,           ///< time of the host u64
  Lost,           ///< rank u32: another node is gone
  Leave,          ///< the program has ended
  Host,           ///< process u64, its namespace u64: the answer to Hello
};

enum class ToHost : std::uint8_t {
  Hello,    ///< protocol u32, version text, node text, process u64, its namespace u64, count u32, devices
  Done,     ///< id u64, code i32, DoneFlags u8; Times, text, content
  Started,  ///< id u64: it runs
  Need,     ///< hash u64 u64: the node has no such program
  Printed,  ///< text of kernels
  Answer,   ///< question u64, text
  Pong,     ///< time of the host u64, time of the node u64
};

enum SubmitFlags : std::uint8_t { isTimed = 1 };
enum DoneFlags : std::uint8_t { hasTimes = 1, hasText = 2, hasContent = 4 };

/// The beginning of ToNode::Submit. An id names a place in a table in its lower half.
struct SubmitHead {
  std::uint64_t id;
  std::uint32_t stream, after;  ///< `after`: how many ids follow
  std::uint32_t bytes;          ///< bytes of the operation, which is behind them
  std::uint8_t flags;
};

/// An operation of ToNode::Submit.
enum class Work : std::uint8_t {
  Nothing,    ///< only the order
  Launch,     ///< a launch (launch_message.h)
  Sequence,   ///< count u32, launches
  Copy,       ///< Copy of the node's memory: allocation u32, offset u64, twice; bytes u64
  RectCopy,   ///< the same with a RectShape
  Fill,       ///< allocation u32, offset u64, FillShape, pattern
  Write,      ///< allocation u32, offset u64, bytes u64, Content
  WriteRect,  ///< allocation u32, offset u64, RectShape, Content: the rows, without gaps
  Read,       ///< allocation u32, offset u64, bytes u64, tag u64; 0: inside Done
  ReadRect,   ///< allocation u32, offset u64, RectShape, tag u64; 0: inside Done
  Receive,    ///< allocation u32, offset u64, bytes u64, rank u32, tag u64: from another node
};

/// Region and pitches of a rectangle; `node` of the memory on the node, `other` of its other end there.
struct RectShape {
  std::uint64_t region[3], nodeRow, nodeSlice, otherRow, otherSlice;
  std::uint64_t bytes() const { return region[0] * region[1] * region[2]; }
};

/// A Fill without its place and its pattern.
struct FillShape {
  std::uint64_t bytes, rows, slices, rowPitch, slicePitch, patternBytes;
};

/// Content of a Write: a tag u64; 0: bytes inside.

}  // namespace clarity::device::cluster
