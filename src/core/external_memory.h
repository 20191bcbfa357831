// SPDX-License-Identifier: Apache-2.0
// This file is memory of another process or API that memory objects are made of (cl_khr_external_memory).
#pragma once

#include "core/device.h"
#include "core/ref.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace clarity::core {

/// A file's bytes, shared with all that have mapped it (cl_khr_external_memory_opaque_fd). Unmapped when it is
/// destroyed. Kernels know it as the application's memory, which it is.
class ExternalMemory {
public:
  /// Maps so many bytes of a file from its beginning on, for reading alone if `readOnly`, and closes the descriptor.
  /// Null and a reason in `why` if it is no file that can be mapped so; the descriptor stays open then.
  static std::unique_ptr<ExternalMemory> import(int descriptor, std::size_t bytes, bool readOnly, std::string& why);
  ~ExternalMemory();
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;

  std::byte* address() const { return address_; }
  /// Whose command-queues may acquire it.
  std::vector<Ref<Device>> devices;

private:
  ExternalMemory(std::byte* address, std::size_t bytes) : address_(address), bytes_(bytes) {}
  std::byte* address_;
  std::size_t bytes_;
};

}  // namespace clarity::core
