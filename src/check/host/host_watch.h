// SPDX-License-Identifier: Apache-2.0
// This file notices when the application touches memory of its own that a command is using: whole pages of it are
// inaccessible meanwhile. The first access is remembered and makes the pages accessible again, so that the program goes
// on.
#pragma once

#include "check/host/host_call.h"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clarity::check {

/// Calls the handler that a signal had before; false if it had none.
bool passToHandler(const struct sigaction& handler, int signal, siginfo_t* info, void* context);

class PageWatch {
public:
  /// The check that watches: owners are its own.
  enum class Watcher : std::uint8_t { Transfers, Mappings };

  /// Accesses that are noticed. `Guard`: all, of pages that are inaccessible before and after, too.
  enum class Accesses : std::uint8_t { All, Writes, Guard };

  /// An access to memory that was watched.
  struct Touch {
    std::uint64_t owner = 0;
    std::uint64_t address = 0;
    Frames frames{};
  };

  /// Whether memory has whole pages, which alone can be watched.
  static bool hasPages(std::uint64_t address, std::size_t bytes);
  /// The bytes of memory with pages that lie ahead of them.
  static std::size_t bytesAhead(std::uint64_t address);
  /// Those behind them, of memory that ends there.
  static std::size_t bytesBehind(std::uint64_t end);
  /// False if there is nothing to watch, or too much already.
  static bool begin(Watcher watcher, std::uint64_t owner, std::uint64_t address, std::size_t bytes,
                    Accesses accesses = Accesses::All);
  static void end(Watcher watcher, std::uint64_t owner);
  /// As end(), of pages that are no more the application's memory.
  static void forget(Watcher watcher, std::uint64_t owner);
  /// Touches since the last call.
  static std::vector<Touch> takeTouches(Watcher watcher);
  /// Whether the pages are as begin() left them: not touched, and not given back to the system.
  static bool isIntact(Watcher watcher, std::uint64_t owner);

  /// Copies the application's memory, which may be gone: false if it is.
  static bool read(void* to, std::uint64_t from, std::size_t bytes);
  static bool write(std::uint64_t to, const void* from, std::size_t bytes);
  /// A hash of the application's memory; 0 if it is gone.
  static std::uint64_t hash(std::uint64_t address, std::size_t bytes);
  /// Whether so many bytes are those of a block which glibc's free() has taken back.
  static bool isFreed(std::uint64_t address, std::size_t bytes);
  /// The size of the block at the address, if glibc has mapped it alone; else 0.
  static std::uint64_t mappedBytes(std::uint64_t address);
};

}  // namespace clarity::check
