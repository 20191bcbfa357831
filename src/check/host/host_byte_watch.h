// SPDX-License-Identifier: Apache-2.0
// This file notices when a thread of the application touches some bytes of its memory that a command is using, where
// these have no whole pages: by the breakpoints of the processor for data, if the system lets a process have them. An
// access is seen behind it, and goes on.
#pragma once

#include "check/host/host_watch.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clarity::check {

class ByteWatch {
public:
  /// Watches the first bytes, the last ones and some between them, as far as the calling thread has breakpoints left.
  static void begin(PageWatch::Watcher watcher, std::uint64_t owner, std::uint64_t address, std::size_t bytes,
                    PageWatch::Accesses accesses = PageWatch::Accesses::All);
  static void end(PageWatch::Watcher watcher, std::uint64_t owner);
  /// The driver may touch the bytes in between. For the calling thread.
  static void pause();
  static void resume();
  /// Touches since the last call.
  static std::vector<PageWatch::Touch> takeTouches(PageWatch::Watcher watcher);
};

}  // namespace clarity::check
