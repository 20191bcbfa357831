// SPDX-License-Identifier: Apache-2.0
// This file formats what kernels on a GPU print.
#include "device/cuda/printf.h"

#include "device/cpu/printf.h"

#include <map>
#include <string>
#include <vector>

namespace clarity::device::cuda {
namespace {

constexpr std::size_t headerBytes = 16;

/// A string in the GPU's memory.
std::string textAt(CuPointer address) {
  std::string text;
  for (;;) {
    char piece[64];
    // Strings are short and may end where memory does: byte by byte, if not in pieces.
    std::size_t bytes = sizeof piece;
    while (bytes > 0 && driver().memcpyDtoH(piece, address + text.size(), bytes) != 0) bytes /= 2;
    if (bytes == 0) return text;
    const std::string_view read(piece, bytes);
    const auto end = read.find('\0');
    text.append(read.substr(0, end));
    if (end != read.npos) return text;
  }
}

}  // namespace

PrintfBuffer::PrintfBuffer(std::shared_ptr<const Gpu> gpu, std::size_t bytes, CuStream stream, Result& result)
    : gpu_(std::move(gpu)), bytes_(bytes) {
  result =
      resultOf(driver().memAlloc(&address_, headerBytes + bytes_), "there is no memory for what the kernel prints");
  if (!result) return;
  const std::uint64_t header[2] = {0, bytes_};
  result = resultOf(driver().memcpyHtoDAsync(address_, header, sizeof header, stream),
                    "the printf buffer could not be prepared");
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
  std::map<std::uint64_t, std::string> known;  // formats, and arguments of %s
  const auto stringAt = [&](std::uint64_t address) -> const std::string& {
    const auto [text, isNew] = known.try_emplace(address);
    if (isNew) text->second = textAt(address);
    return text->second;
  };
  std::string out;
  for (std::size_t at = 0; at + 2 <= records.size() && at + 2 + records[at + 1] <= records.size();
       at += 2 + records[at + 1]) {
    if (!records[at]) break;
    (void)cpu::formatPrintf(out, stringAt(records[at]).c_str(), std::span(records).subspan(at + 2, records[at + 1]),
                            stringAt);
  }
  cpu::PrintfSink::writeToStandardOutput(out);
  return {};
}

}  // namespace clarity::device::cuda
