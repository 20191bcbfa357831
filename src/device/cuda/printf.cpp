// SPDX-License-Identifier: Apache-2.0
// This file formats what kernels on a GPU print.
#include "device/cuda/printf.h"

#include "device/host/printf.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clarity::device::cuda {
namespace {

constexpr std::size_t headerBytes = 16;

/// A string in the GPU's memory, of `most` bytes at most; nothing if it cannot be read.
std::optional<std::string> textAt(CuPointer address, std::size_t most) {
  std::string text;
  while (text.size() < most) {
    char piece[64];
    // Strings are short and may end where memory does: byte by byte, if not in pieces.
    std::size_t bytes = sizeof piece;
    while (bytes > 0 && driver().memcpyDtoH(piece, address + text.size(), bytes) != 0) bytes /= 2;
    if (bytes == 0) return std::nullopt;
    const std::string_view read(piece, bytes);
    const auto end = read.find('\0');
    text.append(read.substr(0, end));
    if (end != read.npos) return text;
  }
  return text;
}

}  // namespace

PrintfBuffer::PrintfBuffer(std::shared_ptr<const Gpu> gpu, std::size_t bytes, CuStream stream, Result& result)
    : gpu_(std::move(gpu)), bytes_(bytes) {
  result =
      resultOf(driver().memAlloc(&address_, headerBytes + bytes_), "there is no memory for what the kernel prints");
  if (!result) return;
  const std::uint64_t header[2] = {0, bytes_};
  CuResult code = driver().memcpyHtoDAsync(address_, header, sizeof header, stream);
  // Behind the last record that fits there is to be none of an earlier launch.
  if (code == 0) code = driver().memsetD8Async(address_ + headerBytes, 0, bytes_, stream);
  result = resultOf(code, "the printf buffer could not be prepared");
}

PrintfBuffer::~PrintfBuffer() {
  gpu_->use();
  if (address_) (void)driver().memFree(address_);
}

Result PrintfBuffer::write() const {
  std::uint64_t header[2] = {};
  if (Result result =
          resultOf(driver().memcpyDtoH(header, address_, sizeof header), "what the kernel printed could not be read");
      !result)
    return result;
  std::vector<std::uint64_t> records(std::min<std::uint64_t>(header[0], bytes_) / 8);
  if (Result result = resultOf(driver().memcpyDtoH(records.data(), address_ + headerBytes, records.size() * 8),
                               "what the kernel printed could not be read");
      !result)
    return result;
  std::map<std::uint64_t, std::optional<std::string>> known;  // formats, and arguments of %s
  const auto stringAt = [&](std::uint64_t address) -> const std::optional<std::string>& {
    const auto [text, isNew] = known.try_emplace(address);
    if (isNew) text->second = textAt(address, bytes_);
    return text->second;
  };
  std::string out;
  // A record is the address of the format, how many slots there are, and these. Words that a kernel has written over by
  // mistake may be anything, as may the format. Zeros are behind the last record where others did not fit.
  const bool isFull = header[0] > bytes_;
  for (std::span<const std::uint64_t> rest(records); rest.size() >= 2;) {
    const std::uint64_t address = rest[0], count = rest[1];
    if (count > rest.size() - 2 || (isFull && address == 0 && count == 0)) break;
    if (const auto& format = stringAt(address))
      (void)host::formatPrintf(out, format->c_str(), rest.subspan(2, count), stringAt);
    else
      out += host::notAFormat;
    rest = rest.subspan(2 + count);
  }
  host::PrintfSink::writeToStandardOutput(out);
  return {};
}

}  // namespace clarity::device::cuda
