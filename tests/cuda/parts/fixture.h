// SPDX-License-Identifier: Apache-2.0
// This file is what tests of the parts of a stream queue start from: a GPU of the stub, a stream of the driver that a
// kernel can keep busy, and operations that note how they end.
#pragma once

#include "device/cuda/completions.h"
#include "device/cuda/memory.h"
#include "device/cuda/staging.h"
#include "stub_controls.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace clarity::test {

using device::Result;

/// An operation that counts how often it was completed.
struct Noted final : device::Submission {
  explicit Noted(device::Operation its = device::HostFunction{}) : own(std::move(its)) { operation = &own; }
  void started() noexcept override {}
  void complete(Result with, const device::Times& ran) noexcept override {
    result = std::move(with);
    times = ran;
    if (then) then();
    completed.fetch_add(1);
    completed.notify_all();
  }
  bool ended() const noexcept override { return completed.load() != 0; }
  /// Waits as an application does that does not help.
  void wait() const { completed.wait(0); }

  device::Operation own;
  Result result;
  device::Times times;
  std::function<void()> then;  ///< called inside complete()
  std::atomic<int> completed{0};
};

struct CudaParts : testing::Test, StubControls {
  std::shared_ptr<const device::cuda::Gpu> gpu;
  std::shared_ptr<device::cuda::Completions> completions;
  std::shared_ptr<device::cuda::Staging> staging;
  std::unique_ptr<device::cuda::CudaMemory> pool;

  void SetUp() override;
  void TearDown() override;

  device::cuda::CuStream makeStream();
  /// Issues a kernel that does not end until release().
  void hold(device::cuda::CuStream);
  void release() { holdKernels(0); }

  std::unique_ptr<device::Allocation> allocate(std::size_t bytes) { return pool->allocate(bytes); }
  static device::Operation fill(const device::Allocation& to, std::size_t bytes, unsigned char value);
  static device::Operation write(const device::Allocation& to, const std::vector<std::byte>& from);
  static device::Operation read(std::vector<std::byte>& to, const device::Allocation& from);
  static device::Operation call(void (*function)(void*));

private:
  std::vector<device::cuda::CuStream> streams_;
  device::cuda::CuModule module_ = nullptr;
};

}  // namespace clarity::test
