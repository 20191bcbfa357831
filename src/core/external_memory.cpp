// SPDX-License-Identifier: Apache-2.0
// This file maps files and dma-bufs as memory.
#include "core/external_memory.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace clarity::core {
namespace {

bool hasBytes(int descriptor, std::uint64_t its, std::size_t wanted, std::string& why) {
  if (its >= wanted) return true;
  why = fmt::format("descriptor {} is that of {} bytes, {} are needed", descriptor, its, wanted);
  return false;
}

}  // namespace

std::unique_ptr<ExternalMemory> ExternalMemory::import(int descriptor, std::size_t bytes, bool readOnly,
                                                       std::string& why) {
  struct stat file = {};
  if (::fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) {
    why = fmt::format("descriptor {} is not that of a file in memory", descriptor);
    return nullptr;
  }
  if (!hasBytes(descriptor, static_cast<std::uint64_t>(file.st_size), bytes, why)) return nullptr;
  std::unique_ptr<ExternalMemory> memory = map(descriptor, bytes, readOnly, why);
  if (memory) ::close(descriptor);  // the mapping keeps the file
  return memory;
}

std::unique_ptr<ExternalMemory> ExternalMemory::importDmaBuffer(int descriptor, std::size_t bytes, bool readOnly,
                                                                std::string& why,
                                                                const support::DmaBufferSystem& system) {
  if (!system.isDmaBuffer(descriptor)) {
    why = fmt::format("descriptor {} is not that of a dma-buf", descriptor);
    return nullptr;
  }
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (!hasBytes(descriptor, static_cast<std::uint64_t>(std::max<off_t>(end, 0)), bytes, why)) return nullptr;
  std::unique_ptr<ExternalMemory> memory = map(descriptor, bytes, readOnly, why);
  if (!memory) return nullptr;
  memory->descriptor_ = support::Descriptor(descriptor);
  memory->system_ = &system;
  memory->readOnly_ = readOnly;
  return memory;
}

std::unique_ptr<ExternalMemory> ExternalMemory::map(int descriptor, std::size_t bytes, bool readOnly,
                                                    std::string& why) {
  const int access = readOnly ? PROT_READ : PROT_READ | PROT_WRITE;
  void* const address = ::mmap(nullptr, bytes, access, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) {
    why = fmt::format("{} bytes of descriptor {} cannot be mapped: {}", bytes, descriptor, std::strerror(errno));
    return nullptr;
  }
  return std::unique_ptr<ExternalMemory>(new ExternalMemory(static_cast<std::byte*>(address), bytes));
}

// Failures here have no one to be told to: the commands between the two still see the memory that is there.
void ExternalMemory::synchronise(std::uint64_t when) const {
  if (descriptor_) (void)system_->synchronise(descriptor_, when | (readOnly_ ? DMA_BUF_SYNC_READ : DMA_BUF_SYNC_RW));
}

void ExternalMemory::beginAccess() const { synchronise(DMA_BUF_SYNC_START); }
void ExternalMemory::endAccess() const { synchronise(DMA_BUF_SYNC_END); }

ExternalMemory::~ExternalMemory() { ::munmap(address_, bytes_); }

}  // namespace clarity::core
