// SPDX-License-Identifier: Apache-2.0
// This file is memory of another process or API that memory objects are made of (cl_khr_external_memory).
#pragma once

#include "core/device.h"
#include "core/ref.h"
#include "support/dma_buffer.h"
#include "support/private_folder.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace clarity::core {

/// The bytes of a file (cl_khr_external_memory_opaque_fd) or of a dma-buf (cl_khr_external_memory_dma_buf), shared with
/// all that have mapped it. Unmapped when it is destroyed. Kernels know it as the application's memory, which it is.
class ExternalMemory {
public:
  /// Maps so many bytes of a file from its beginning on, for reading alone if `readOnly`, and closes the descriptor.
  /// Null and a reason in `why` if it is no file that can be mapped so; the descriptor stays open then.
  static std::unique_ptr<ExternalMemory> import(int descriptor, std::size_t bytes, bool readOnly, std::string& why);
  /// The same of a dma-buf.
  static std::unique_ptr<ExternalMemory> importDmaBuffer(
      int descriptor, std::size_t bytes, bool readOnly, std::string& why,
      const support::DmaBufferSystem& system = support::dmaBufferSystem());
  ~ExternalMemory();
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;

  std::byte* address() const { return address_; }
  /// A dma-buf: this process's accesses are between the two, which wait for devices that use it. Nothing for a file.
  void beginAccess() const;
  void endAccess() const;
  bool isDmaBuffer() const { return bool(descriptor_); }
  /// Whose command-queues may acquire it.
  std::vector<Ref<Device>> devices;

private:
  ExternalMemory(std::byte* address, std::size_t bytes) : address_(address), bytes_(bytes) {}
  static std::unique_ptr<ExternalMemory> map(int descriptor, std::size_t bytes, bool readOnly, std::string& why);
  void synchronise(std::uint64_t when) const;

  std::byte* address_;
  std::size_t bytes_;
  support::Descriptor descriptor_;  ///< a dma-buf's descriptor
  const support::DmaBufferSystem* system_ = nullptr;
  bool readOnly_ = false;
};

}  // namespace clarity::core
