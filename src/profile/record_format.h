// SPDX-License-Identifier: Apache-2.0
// This file is the form of a record: what src/profile writes and the tool reads.
//
// A record has a part for each process, one behind the other. A part is one line of JSON, which ends with '\n', and as
// many bytes behind it as its entry "bytes" says: the calls and commands of each thread, in the order of the entries
// "threads", and what the threads of devices did, in the order of "workers".
//
//   {"clarity":"profile 3",...,"threads":[{"id":17,"callBytes":72,"commandBytes":128}],
//    "workers":[{"id":18,"bytes":48}],"bytes":248}\n
//   call  call  ...        <- callBytes
//   command  command  ...  <- commandBytes
//   span  span  ...        <- bytes
//
// All of it is numbers, seven bits a byte, the lowest first; the highest bit says that more follow (LEB128). A
// *difference* may be negative: its sign is the lowest bit. Most of a program's calls and commands repeat those before
// them, and follow soon: what is the same is left out, and times are differences, so that a launch and a wait for it
// take some 25 bytes. A text, a place or a kernel is the number of an entry of the list of that name, one more: 0 is
// none.
//
//   call     flags (CallFlag), entry point, difference of its begin from that of the call before, time that it took,
//            and for flags: error (a difference from 0); place; how often it was made and the time inside of all;
//            unless sameArguments: how many arguments, and each. That of a parameter of kind "text" is a text.
//   command  flags (CommandFlag), difference of the thread's call that enqueued it from that of the command before,
//            differences of queued from that of the command before, submitted from queued, started from submitted and
//            ended from started; and for flags: status (a difference from 0); shape: command-queue, global sizes,
//            local sizes, bytes that it transfers or fills, kernel, entry point, dimensions, whether it blocks; how
//            many commands it waits for, and each: which thread's, and which of them.
//   span     a part of a launch that a thread executed (device/worker_spans.h): difference of its begin from the end of
//            the span before, time that it took, first piece, pieces, pieces of the launch, kernel
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace clarity::profile {

enum CallFlag : std::uint8_t {
  sameArguments = 1,  ///< as the last call of this entry point on this thread
  failedCall = 2,
  hasPlace = 4,
  isRepeated = 8,  ///< several calls, one after the other
};

enum CommandFlag : std::uint8_t {
  hasShape = 1,   ///< otherwise it has that of the thread's command before
  hasStatus = 2,  ///< otherwise it ended with CL_COMPLETE
  hasWaits = 4,
};

/// The properties that a command has in common with others.
struct CommandShape {
  std::uint64_t queue = 0;  ///< the id of one of "queues"
  std::array<std::uint64_t, 3> global{}, local{};
  std::uint64_t bytes = 0;  ///< that it transfers or fills
  std::uint32_t kernel = 0;
  std::uint16_t entryPoint = 0;  ///< the id of one of "entryPoints"
  std::uint8_t dimensions = 0;
  bool isBlocking = false;
  bool operator==(const CommandShape&) const = default;
};

/// The bytes that a number takes at most.
constexpr std::size_t mostNumberBytes = 10;

/// Writes a number; returns where the next one begins.
inline std::byte* putNumber(std::byte* to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<std::byte>(number | 0x80);
  *to++ = static_cast<std::byte>(number);
  return to;
}
inline std::byte* putDifference(std::byte* to, std::uint64_t value, std::uint64_t from) {
  const auto difference = static_cast<std::int64_t>(value - from);
  return putNumber(to, (static_cast<std::uint64_t>(difference) << 1) ^ static_cast<std::uint64_t>(difference >> 63));
}
/// The value of a difference that was read.
inline std::uint64_t valueOf(std::uint64_t difference, std::uint64_t from) {
  return from + ((difference >> 1) ^ (~(difference & 1) + 1));
}

}  // namespace clarity::profile
