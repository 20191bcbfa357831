// SPDX-License-Identifier: Apache-2.0
// This file is the form of a record: what src/profile writes and the tool reads.
//
// A record has a part for each process, one behind the other. A part is one line of JSON, which ends with '\n', and as
// many bytes behind it as its entry "bytes" says: the calls and commands of each thread, in the order of the entries
// "threads", and what the threads of devices did, in the order of "workers".
//
//   {"clarity":"profile
//   2",...,"threads":[{"id":17,"callBytes":72,"commandBytes":128}],"workers":[{"id":18,"bytes":48}],
//    "bytes":248}\n
//   StoredCall  words   StoredCall  words   ...      <- callBytes
//   StoredCommand  words   StoredCommand  words ...  <- commandBytes
//   StoredSpan  StoredSpan  ...                      <- bytes
//
// Most of a program's calls and commands repeat those before them: what is the same is left out, so that a launch and a
// wait for it take 80 bytes. Numbers are those of the machine, words have 8 bytes. A text, a place or a kernel is the
// number of an entry of the list of that name, one more: 0 is none.
#pragma once

#include <array>
#include <cstdint>

namespace clarity::profile {

/// A call. Words follow for each flag from 2 on that is set, in their order, and then the values of `arguments`
/// parameters. That of a parameter whose kind is "text" is the number of the text.
struct StoredCall {
  enum Flag : std::uint8_t {
    sameArguments = 1,  ///< as the last call of this entry point on this thread, and none follow
    isLong = 2,         ///< a word: when it ended, instead of `time`
    failed = 4,         ///< a word: its error
    hasPlace = 8,       ///< a word: the line of Python that made it
    isRepeated = 16,    ///< two words: how often it was made, one after the other, and the time inside of all
  };
  std::uint64_t begin;  ///< support/clock.h, as all times
  std::uint32_t time;
  std::uint16_t entryPoint;  ///< the id of one of "entryPoints"
  std::uint8_t arguments, flags;
};

/// A command. If `isNew`, a StoredShape follows; otherwise that of the thread's last one holds. Then come `after`
/// words, the commands of its wait list: which thread's (the upper 32 bits), and which of them.
struct StoredCommand {
  std::uint64_t queued, submitted, started, ended;
  std::uint32_t call;   ///< which of the thread's calls enqueued it
  std::int32_t status;  ///< of its event
  std::uint32_t after;
  std::uint32_t isNew;
};

/// The properties that a command has in common with others.
struct StoredShape {
  std::uint64_t queue;  ///< the id of one of "queues"
  std::array<std::uint64_t, 3> global, local;
  std::uint64_t bytes;  ///< that it transfers or fills
  std::uint32_t kernel;
  std::uint16_t entryPoint;
  std::uint8_t dimensions;
  std::uint8_t isBlocking;
  bool operator==(const StoredShape&) const = default;
};

/// A part of a launch that a thread of the device executed (device/worker_spans.h).
struct StoredSpan {
  std::uint64_t begin, end;
  std::uint64_t first, count, all;  ///< pieces of equal size
  std::uint32_t kernel;
  std::uint32_t reserved;
};

static_assert(sizeof(StoredCall) == 16 && sizeof(StoredCommand) == 48 && sizeof(StoredShape) == 72 &&
              sizeof(StoredSpan) == 48);

}  // namespace clarity::profile
