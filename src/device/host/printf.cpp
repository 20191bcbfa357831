// SPDX-License-Identifier: Apache-2.0
// This file formats what kernels print.
#include "device/host/printf.h"

#include "support/fault_guard.h"
#include "support/printf_format.h"
#include "support/write.h"

#include <locale.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <utility>

namespace clarity::device::host {
namespace {

using support::PrintfConversion;
using support::PrintfLength;

/// While one exists, this thread writes numbers as OpenCL C does, whatever locale the application has set: with a comma
/// for the point, the elements of a vector could not be told apart.
class NumbersOfC {
public:
  NumbersOfC() : before_(::uselocale(ofC())) {}
  ~NumbersOfC() { ::uselocale(before_); }
  NumbersOfC(const NumbersOfC&) = delete;
  NumbersOfC& operator=(const NumbersOfC&) = delete;

private:
  static locale_t ofC() {
    static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
    return locale;
  }

  locale_t before_;
};

template <class... Values>
void appendFormatted(std::string& out, const std::string& format, Values... values) {
  std::array<char, 128> room;
  const int length = std::snprintf(room.data(), room.size(), format.c_str(), values...);
  if (length < 0) return;
  const auto bytes = static_cast<std::size_t>(length);
  if (bytes < room.size()) {
    out.append(room.data(), bytes);
    return;
  }
  const std::size_t start = out.size();
  out.resize(start + bytes + 1);
  std::snprintf(out.data() + start, bytes + 1, format.c_str(), values...);
  out.resize(start + bytes);
}

double halfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const double fraction = bits & 0x3ff;
  double value = 0;
  if (exponent == 0x1f)
    value = fraction != 0 ? __builtin_nan("") : __builtin_inf();
  else if (exponent == 0)
    value = fraction * 0x1p-24;
  else
    value = (1024 + fraction) * __builtin_ldexp(1.0, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

unsigned bytesOf(PrintfLength length) {
  switch (length) {
    case PrintfLength::HH: return 1;
    case PrintfLength::H: return 2;
    case PrintfLength::L: return 8;
    default: return 4;
  }
}

/// The low bytes of an integer, extended with its sign or with zeros.
std::uint64_t narrowed(std::uint64_t value, unsigned bytes, bool isSigned) {
  const unsigned unused = 64 - 8 * bytes;
  value <<= unused;
  return isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> unused) : value >> unused;
}

void appendInteger(std::string& out, const PrintfConversion& spec, std::uint64_t value, unsigned bytes) {
  const std::string format = "%" + spec.flags + "ll" + spec.conversion;
  value = narrowed(value, bytes, spec.isSigned());
  if (spec.isSigned())
    appendFormatted(out, format, static_cast<long long>(value));
  else
    appendFormatted(out, format, static_cast<unsigned long long>(value));
}

void appendString(std::string& out, const PrintfConversion& spec, std::uint64_t address, const StringAt& stringAt) {
  const std::optional<std::string> text = address ? stringAt(address) : "(null)";
  if (text)
    appendFormatted(out, "%" + spec.flags + "s", text->c_str());
  else
    out += "(not a string)";
}

void appendScalar(std::string& out, const PrintfConversion& spec, std::uint64_t slot, const StringAt& stringAt) {
  if (spec.isInteger()) return appendInteger(out, spec, slot, bytesOf(spec.length));
  if (spec.isFloating()) return appendFormatted(out, "%" + spec.flags + spec.conversion, std::bit_cast<double>(slot));
  switch (spec.conversion) {
    case 'c': return appendFormatted(out, "%" + spec.flags + "c", static_cast<int>(slot));
    case 's': return appendString(out, spec, slot, stringAt);
    default: return appendFormatted(out, "%" + spec.flags + "p", reinterpret_cast<const void*>(slot));
  }
}

/// The elements of a vector, separated by commas (each with flags, width and precision).
void appendVector(std::string& out, const PrintfConversion& spec, const std::byte* elements) {
  const unsigned bytes = bytesOf(spec.length);
  for (unsigned i = 0; i < spec.elements; ++i) {
    if (i) out += ',';
    std::uint64_t raw = 0;
    std::memcpy(&raw, elements + std::size_t{i} * bytes, bytes);
    if (spec.isInteger()) {
      appendInteger(out, spec, raw, bytes);
      continue;
    }
    const double value = bytes == 8   ? std::bit_cast<double>(raw)
                         : bytes == 2 ? halfToDouble(static_cast<std::uint16_t>(raw))
                                      : std::bit_cast<float>(static_cast<std::uint32_t>(raw));
    appendFormatted(out, "%" + spec.flags + spec.conversion, value);
  }
}

/// A vector of three uses the room of four (section 6.1.5).
std::size_t slotsOf(const PrintfConversion& spec) {
  if (spec.elements == 1) return 1;
  const unsigned stored = spec.elements == 3 ? 4 : spec.elements;
  return (std::size_t{stored} * bytesOf(spec.length) + 7) / 8;
}

}  // namespace

std::optional<std::string> stringOfHost(std::uint64_t address) {
  if (address == 0) return std::nullopt;  // no argument for strnlen
  const auto* const text = reinterpret_cast<const char*>(address);
  std::size_t length = 0;
  support::Fault fault;
  if (!support::FaultGuard::run([&] { length = strnlen(text, std::size_t{1} << 20); }, fault)) return std::nullopt;
  return std::string(text, length);
}

bool formatPrintf(std::string& out, const char* format, std::span<const std::uint64_t> slots,
                  const StringAt& stringAt) {
  const NumbersOfC numbers;
  bool valid = true;
  for (const char* at = format; *at;) {
    const char* const percent = std::strchr(at, '%');
    if (!percent) {
      out += at;
      break;
    }
    out.append(at, percent);
    at = percent + 1;
    if (*at == '%') {
      out += *at++;
      continue;
    }
    const auto spec = support::parsePrintfConversion(at);
    if (!spec || slotsOf(*spec) > slots.size()) {
      valid = false;
      out.append(percent, at);
      continue;
    }
    if (spec->elements > 1)
      appendVector(out, *spec, reinterpret_cast<const std::byte*>(slots.data()));
    else
      appendScalar(out, *spec, slots[0], stringAt);
    slots = slots.subspan(slotsOf(*spec));
  }
  return valid;
}

PrintfSink::PrintfSink(std::size_t room, Write write) : room_(room), write_(std::move(write)) {}

PrintfSink::~PrintfSink() { flush(); }

void PrintfSink::append(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  if (text_.size() + piece.size() > room_ && !text_.empty()) {
    write_(text_);
    text_.clear();
  }
  if (piece.size() > room_)
    write_(piece);
  else
    text_ += piece;
}

void PrintfSink::flush() {
  const std::lock_guard lock(mutex_);
  if (text_.empty()) return;
  write_(text_);
  text_.clear();
}

namespace {

std::atomic<void (*)(std::string_view)> redirected{nullptr};

}  // namespace

void PrintfSink::redirect(void (*write)(std::string_view)) { redirected.store(write); }

void PrintfSink::writeToStandardOutput(std::string_view text) {
  if (const auto write = redirected.load()) return write(text);
  // A stream on which the application has printed wide characters takes no others.
  if (std::fwide(stdout, 0) > 0) {
    std::fflush(stdout);
    support::writeAll(::fileno(stdout), text);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace clarity::device::host
