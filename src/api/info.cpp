// SPDX-License-Identifier: Apache-2.0
// This file sizes and copies the answers of queries.
#include "api/info.h"

namespace clarity::api {

void* InfoWriter::room(std::size_t size) {
  // CL_INVALID_VALUE if the size in bytes specified by param_value_size is less than the size of the return type and
  // param_value is not NULL.
  core::failIf(value_ && room_ < size, CL_INVALID_VALUE, "{}: param_value_size is {}, the value has {} bytes", param_,
               room_, size);
  if (sizeRet_) *sizeRet_ = size;
  return value_;
}

void InfoWriter::writeBytes(const void* bytes, std::size_t size) {
  void* const to = room(size);
  if (to && size != 0) std::memcpy(to, bytes, size);
}

void InfoWriter::write(std::string_view text) {
  auto* const to = static_cast<char*>(room(text.size() + 1));
  if (!to) return;
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
}

}  // namespace clarity::api
