// SPDX-License-Identifier: Apache-2.0
// This file maps files as memory.
#include "core/external_memory.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace clarity::core {

std::unique_ptr<ExternalMemory> ExternalMemory::import(int descriptor, std::size_t bytes, bool readOnly,
                                                       std::string& why) {
  struct stat file = {};
  if (::fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) {
    why = fmt::format("descriptor {} is not that of a file in memory", descriptor);
    return nullptr;
  }
  if (static_cast<std::size_t>(file.st_size) < bytes) {
    why = fmt::format("descriptor {} is that of {} bytes, {} are needed", descriptor, file.st_size, bytes);
    return nullptr;
  }
  const int access = readOnly ? PROT_READ : PROT_READ | PROT_WRITE;
  void* const address = ::mmap(nullptr, bytes, access, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) {
    why = fmt::format("{} bytes of descriptor {} cannot be mapped: {}", bytes, descriptor, std::strerror(errno));
    return nullptr;
  }
  std::unique_ptr<ExternalMemory> memory(new ExternalMemory(static_cast<std::byte*>(address), bytes));
  ::close(descriptor);  // the mapping keeps the file
  return memory;
}

ExternalMemory::~ExternalMemory() { ::munmap(address_, bytes_); }

}  // namespace clarity::core
