// SPDX-License-Identifier: Apache-2.0
// This file maps, opens and closes the pages of the discrete device's memory.
#include "pool.h"

#include "device/host/transfers.h"
#include "faults.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace clarity::discrete {
namespace {

/// Memory that is not initialised is not zero, so that a test that relies on zeros fails; large allocations stay
/// untouched.
constexpr std::size_t filledBytes = 1u << 20;
constexpr int rubbish = 0xC5;

}  // namespace

std::unique_ptr<device::Allocation> DiscretePool::allocate(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t mapped = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
  if (mapped < bytes || Faults::isDue(Faults::get().allocation)) return nullptr;
  if (used_.fetch_add(bytes) + bytes > limit_) {
    release(bytes);
    return nullptr;
  }
  void* const memory =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    release(bytes);
    return nullptr;
  }
  std::memset(memory, rubbish, std::min(bytes, filledBytes));
  mprotect(memory, mapped, PROT_NONE);
  return std::make_unique<DiscreteAllocation>(shared_from_this(), static_cast<std::byte*>(memory), mapped, bytes);
}

device::Result DiscretePool::initialise(device::Allocation& to, const std::byte* from, std::size_t bytes) {
  const Opened opened({.allocation = &to});
  return device::host::copy(*workers_, opened.address(), from, bytes);
}

DiscreteAllocation::~DiscreteAllocation() {
  munmap(base_, mapped_);
  pool_->release(bytes());
}

void DiscreteAllocation::open() {
  const std::lock_guard lock(mutex_);
  if (users_++ == 0) mprotect(base_, mapped_, PROT_READ | PROT_WRITE);
}

void DiscreteAllocation::close() {
  const std::lock_guard lock(mutex_);
  if (--users_ == 0) mprotect(base_, mapped_, PROT_NONE);
}

}  // namespace clarity::discrete
