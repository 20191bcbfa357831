// SPDX-License-Identifier: Apache-2.0
// This file models a device: one operation after the other, memory that nothing is in.
#include "modelled_device.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace clarity::model {
namespace {

/// Bytes a nanosecond of a copy within the device.
constexpr double memoryRate = 200;

/// Addresses: small content is really written there.
class ModelledAllocation final : public device::Allocation {
public:
  static std::unique_ptr<ModelledAllocation> make(std::size_t bytes) {
    void* const at = ::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    return std::unique_ptr<ModelledAllocation>(new ModelledAllocation(bytes, static_cast<std::byte*>(at)));
  }
  ~ModelledAllocation() override { ::munmap(hostAddress(), std::max<std::size_t>(bytes(), 1)); }

private:
  ModelledAllocation(std::size_t bytes, std::byte* at) : Allocation(bytes, at) {}
};

class ModelledPool final : public device::MemoryPool {
public:
  bool hostAccessible() const override { return false; }
  std::unique_ptr<device::Allocation> allocate(std::size_t bytes) override { return ModelledAllocation::make(bytes); }
  std::unique_ptr<device::Allocation> adopt(std::byte*, std::size_t) override { return nullptr; }
  device::Result initialise(device::Allocation&, const std::byte*, std::size_t) override { return {}; }
};

class ModelledExecutable final : public device::Executable {};

class ModelledStream final : public device::Stream {
public:
  ModelledStream(Network& network, unsigned rank, std::shared_ptr<Nanoseconds> isFree)
      : network_(network), rank_(rank), isFree_(std::move(isFree)) {}

  void submit(device::Submission& submission, device::Start, std::span<device::Submission* const>) override {
    const Nanoseconds begin = std::max(network_.clock(rank_), *isFree_);
    const Nanoseconds end = *isFree_ = begin + timeOf(*submission.operation);
    network_.at(rank_, end, [&submission, begin, end] { submission.complete({}, {begin, end, 0}); });
  }
  void flush() override {}
  void help(const device::Submission&) override {}

private:
  Nanoseconds timeOf(const device::Operation& operation) const {
    if (std::holds_alternative<device::Launch>(operation)) return static_cast<Nanoseconds>(network_.model().kernel);
    const auto* const copy = std::get_if<device::Copy>(&operation);
    return copy ? static_cast<Nanoseconds>(static_cast<double>(copy->bytes) / memoryRate) : 0;
  }

  Network& network_;
  unsigned rank_;
  std::shared_ptr<Nanoseconds> isFree_;
};

}  // namespace

ModelledDevice::ModelledDevice(Network& network, unsigned rank, std::shared_ptr<device::Device> like)
    : network_(network),
      rank_(rank),
      like_(std::move(like)),
      properties_(like_->properties()),
      pool_(std::make_unique<ModelledPool>()) {
  properties_.ordersOperations = false;
  properties_.endsLaunches = false;
}

std::unique_ptr<device::Executable> ModelledDevice::load(std::shared_ptr<const compiler::CompiledProgram>) {
  return std::make_unique<ModelledExecutable>();
}

std::unique_ptr<device::Stream> ModelledDevice::createStream(const device::StreamOptions&) {
  return std::make_unique<ModelledStream>(network_, rank_, isFree_);
}

}  // namespace clarity::model
