// SPDX-License-Identifier: Apache-2.0
// This file is OpenCL C's printf: formatting, and where the output of a launch is collected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clarity::device::host {

/// The printf output of one launch (LaunchInfo::printfSink). Pieces are never mixed; when the buffer is full it is
/// written out early, so nothing is lost.
class PrintfSink {
public:
  using Write = std::function<void(std::string_view)>;
  /// Collects up to `room` bytes before it calls write.
  explicit PrintfSink(std::size_t room, Write write = writeToStandardOutput);
  ~PrintfSink();
  PrintfSink(const PrintfSink&) = delete;
  PrintfSink& operator=(const PrintfSink&) = delete;

  void append(std::string_view piece);
  /// Writes out what was collected; also done by the destructor.
  void flush();

  static void writeToStandardOutput(std::string_view text);
  /// Has another function get what would go to standard output, from any thread; null: none. For processes that run
  /// kernels for another one.
  static void redirect(void (*write)(std::string_view));

private:
  std::mutex mutex_;
  std::size_t room_;
  Write write_;
  std::string text_;
};

/// The string at an address that an argument of %s is, without its zero; nothing if it cannot be read.
using StringAt = std::function<std::optional<std::string>(std::uint64_t address)>;
/// A string of this process: the address may be anything.
std::optional<std::string> stringOfHost(std::uint64_t address);

/// Printed in place of what a format at an address that cannot be read would print.
inline constexpr std::string_view notAFormat = "(not a string)";

/// Formats as OpenCL C 3.0, section 6.15.14 says; slots as printf_hook.h says. Appends to `out` and returns false when
/// the format is not valid or has more conversions than there are arguments: what cannot be converted is then copied
/// as it stands.
bool formatPrintf(std::string& out, const char* format, std::span<const std::uint64_t> slots,
                  const StringAt& stringAt = stringOfHost);

}  // namespace clarity::device::host
