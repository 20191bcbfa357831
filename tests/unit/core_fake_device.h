// SPDX-License-Identifier: Apache-2.0
// This file is a device that runs nothing, for tests of the object model above it.
#pragma once

#include "core/context.h"
#include "core/device.h"
#include "core/error.h"
#include "core/program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace clarity::test {

class FakeExecutable final : public device::Executable {
public:
  device::Result prepare(const device::Launch&) override { return {}; }
  device::Result run(const device::Launch&) override { return {}; }
};

/// Counts what it has given out, so that tests see leaks and memory freed twice.
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

  std::byte* allocate(std::size_t bytes) override {
    if (bytes > properties_.maxAllocBytes) return nullptr;
    ++allocations;
    return static_cast<std::byte*>(std::aligned_alloc(128, (bytes + 127) / 128 * 128));
  }
  void free(std::byte* memory, std::size_t) override {
    --allocations;
    std::free(memory);
  }
  std::unique_ptr<device::Executable> load(std::shared_ptr<const compiler::Image>) override {
    ++loads;
    return std::make_unique<FakeExecutable>();
  }
  void chooseLocalSize(const compiler::KernelInfo&, device::NDRange&) const override {}
  device::Result copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    if (failCopies) return {CL_OUT_OF_RESOURCES, "host memory cannot be read"};
    std::memcpy(to, from, bytes);
    return {};
  }
  device::Result copyRect(std::byte*, const std::byte*, const device::RectCopy&) override { return {}; }
  device::Result fill(std::byte*, std::span<const std::byte>, std::size_t) override { return {}; }
  std::vector<std::unique_ptr<device::Device>> partition(const device::Partition& partition) override {
    std::vector<std::unique_ptr<device::Device>> parts;
    for (const std::uint32_t units : partition.units) parts.push_back(std::make_unique<FakeDevice>(units));
    return parts;
  }
  std::uint64_t now() const override { return 1; }

  int allocations = 0;
  int loads = 0;
  bool failCopies = false;

private:
  device::Properties properties_;
  compiler::Target target_;
};

/// A context of one fake device.
struct FakeContext : testing::Test {
  FakeDevice& fake = *new FakeDevice;
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

  /// The image of a program with one kernel `void sum(float4 v, global float* in, local float* t, local double16* u)`.
  static std::shared_ptr<const compiler::Image> image() {
    using compiler::AddressQualifier;
    using compiler::ArgKind;
    auto made = std::make_shared<compiler::Image>();
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
    return *new core::Program(*context, devices, {image()});
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
