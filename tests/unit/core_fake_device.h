// SPDX-License-Identifier: Apache-2.0
// This file is a device that runs nothing, for tests of the object model above it.
#pragma once

#include "core/context.h"
#include "core/device.h"
#include "core/error.h"
#include "core/program.h"
#include "device/cpu/stream.h"
#include "device/host/workers.h"
#include "support/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clarity::test {

class FakeExecutable final : public device::Executable {};

/// Memory of the process that counts what it has given out, so that tests see leaks and memory freed twice.
class FakePool final : public device::MemoryPool {
public:
  explicit FakePool(std::size_t mostBytes) : most_(mostBytes) {}
  bool hostAccessible() const override { return accessible; }
  std::unique_ptr<device::Allocation> allocate(std::size_t bytes) override {
    if (bytes > most_) return nullptr;
    return std::make_unique<Counted>(*this, bytes);
  }
  std::unique_ptr<device::Allocation> adopt(std::byte* host, std::size_t bytes) override {
    return std::make_unique<Adopted>(host, bytes);
  }
  device::Result initialise(device::Allocation& to, const std::byte* from, std::size_t bytes) override {
    if (failCopies) return {CL_OUT_OF_RESOURCES, "host memory cannot be read"};
    std::memcpy(to.hostAddress(), from, bytes);
    return {};
  }

  int allocations = 0;
  bool accessible = true;
  bool failCopies = false;

private:
  struct Counted final : device::Allocation {
    Counted(FakePool& its, std::size_t bytes)
        : Allocation(bytes, static_cast<std::byte*>(std::aligned_alloc(128, (bytes + 127) / 128 * 128))), pool(its) {
      ++pool.allocations;
    }
    ~Counted() override {
      --pool.allocations;
      std::free(hostAddress());
    }
    FakePool& pool;
  };
  struct Adopted final : device::Allocation {
    Adopted(std::byte* host, std::size_t bytes) : Allocation(bytes, host) {}
  };
  std::size_t most_;
};

/// Operations are executed as on the CPU, unless a test gives it streams of its own.
class FakeDevice final : public device::Device {
public:
  explicit FakeDevice(std::uint32_t units = 8) {
    properties_.name = "fake";
    properties_.computeUnits = units;
    properties_.partitionMaxSubDevices = units;
    properties_.maxAllocBytes = 1 << 20;
    properties_.maxWorkGroupSize = 256;
    properties_.localMemBytes = 1 << 15;
    properties_.extensions = "cl_khr_fp64 cl_khr_fp64_more __opencl_c_fp64";
  }
  const device::Properties& properties() const override { return properties_; }
  device::Properties& changeableProperties() { return properties_; }
  const compiler::Target& target() const override { return target_; }

  device::MemoryPool& memory() const override { return *pool_; }
  FakePool& pool() const { return *pool_; }

  std::unique_ptr<device::Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override {
    ++loads;
    return std::make_unique<FakeExecutable>();
  }
  void chooseLocalSize(const compiler::KernelInfo&, device::NDRange&) const override {}
  std::unique_ptr<device::Stream> createStream(const device::StreamOptions& options) override {
    if (makeStream) return makeStream(options);
    return std::make_unique<device::cpu::CpuStream>(workers_, options);
  }
  void flush() override {
    ++flushes;
    device::cpu::ServiceThreads::get().wake();
  }
  std::vector<std::unique_ptr<device::Device>> partition(const device::Partition& partition) override {
    std::vector<std::unique_ptr<device::Device>> parts;
    for (const std::uint32_t units : partition.units) parts.push_back(std::make_unique<FakeDevice>(units));
    return parts;
  }
  std::uint64_t now() const override { return support::hostTime(); }

  int loads = 0;
  std::atomic<int> flushes{0};
  std::function<std::unique_ptr<device::Stream>(const device::StreamOptions&)> makeStream;

private:
  std::shared_ptr<FakePool> pool_ = std::make_shared<FakePool>(1 << 20);
  std::shared_ptr<device::host::Workers> workers_ = std::make_shared<device::host::Workers>(1);
  device::Properties properties_;
  compiler::Target target_;
};

/// A context of one fake device.
struct FakeContext : testing::Test {
  FakeDevice& fake = *new FakeDevice;
  FakePool& pool = fake.pool();
  core::Device& device = *new core::Device(std::unique_ptr<device::Device>(&fake));
  core::Context* context = new core::Context({device}, {}, &FakeContext::notify, this);
  std::vector<std::string> notified;

  ~FakeContext() override {
    context->release();
    // The platform never frees a root device; this one goes with its test.
    device.releaseInternal();
  }
  static void CL_CALLBACK notify(const char* text, const void*, std::size_t, void* self) {
    static_cast<FakeContext*>(self)->notified.emplace_back(text);
  }

  /// The compiled program of a program with one kernel `void sum(float4 v, global float* in, local float* t, local
  /// double16* u)`.
  static std::shared_ptr<const compiler::CompiledProgram> compiled() {
    using compiler::AddressQualifier;
    using compiler::ArgKind;
    auto made = std::make_shared<compiler::CompiledProgram>();
    compiler::KernelInfo kernel;
    kernel.name = "sum";
    kernel.localBytes = 20;
    kernel.argBlockBytes = 40;
    const auto add = [&](ArgKind kind, const char* name, const char* type, AddressQualifier address, unsigned size,
                         unsigned align, unsigned offset) {
      compiler::KernelArg arg;
      arg.kind = kind;
      arg.name = name;
      arg.typeName = type;
      arg.address = address;
      arg.size = size;
      arg.align = align;
      arg.offset = offset;
      kernel.args.push_back(arg);
    };
    add(ArgKind::Value, "v", "float4", AddressQualifier::Private, 16, 16, 0);
    add(ArgKind::Buffer, "in", "float*", AddressQualifier::Global, 8, 4, 16);
    add(ArgKind::Local, "t", "float*", AddressQualifier::Local, 8, 4, 24);
    add(ArgKind::Local, "u", "double16*", AddressQualifier::Local, 8, 128, 32);
    made->kernels.push_back(kernel);
    return made;
  }
  core::Program& program() {
    const core::Ref<core::Device> devices[] = {device};
    return *new core::Program(*context, devices, {compiled()});
  }
};

/// Checks that `body` throws a core::Error with this code, whose text contains `part`.
template <class Body>
void expectError(cl_int code, std::string_view part, Body&& body) {
  try {
    body();
    ADD_FAILURE() << "no error, " << core::errorName(code) << " was expected";
  } catch (const core::Error& error) {
    EXPECT_EQ(core::errorName(error.code()), core::errorName(code)) << error.text();
    EXPECT_NE(error.text().find(part), std::string::npos) << error.text();
  }
}

}  // namespace clarity::test
