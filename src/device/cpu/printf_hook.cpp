// SPDX-License-Identifier: Apache-2.0
// This file is what compiled code calls to print.
#include "support/printf_hook.h"

#include "device/host/printf.h"
#include "support/fault_guard.h"

#include <cstdint>
#include <string>

namespace {

std::int32_t printTo(void* sink, const char* format, const std::uint64_t* slots, std::uint32_t count) {
  // The sink's lock must not stay locked: a fault in here is no fault of the kernel.
  const clarity::support::FaultGuard::Outside outside;
  try {
    std::string piece(clarity::device::host::notAFormat);
    bool valid = false;
    // The format is in constant memory and may be any pointer all the same, after a cast.
    if (const auto text = clarity::device::host::stringOfHost(reinterpret_cast<std::uint64_t>(format))) {
      piece.clear();
      valid = clarity::device::host::formatPrintf(piece, text->c_str(), {slots, count});
    }
    static_cast<clarity::device::host::PrintfSink*>(sink)->append(piece);
    return valid ? 0 : -1;
  } catch (...) {
    return -1;
  }
}

}  // namespace

extern "C" std::int32_t __clarity_printf(void* sink, const char* format, const std::uint64_t* slots,
                                         std::uint32_t count) {
  if (!sink) return -1;
  const std::int32_t result = printTo(sink, format, slots, count);
  // A kernel that prints again and again is in here nearly always, where a request to end it is lost.
  clarity::support::FaultGuard::endIfWanted();
  return result;
}
