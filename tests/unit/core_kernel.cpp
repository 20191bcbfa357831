// SPDX-License-Identifier: Apache-2.0
// This file tests kernel arguments: what is refused, how they are packed, and that a kernel owns none of them.
#include "core/kernel.h"
#include "core_fake_device.h"

namespace clarity::test {
namespace {

using core::Kernel;
using core::Memory;

/// A launch and what it keeps.
struct Frozen {
  core::Ref<Kernel> kernel;
  device::Launch launch{};
  core::MemoryUses memory{};
};

struct CoreKernel : FakeContext {
  core::Program* built = nullptr;
  Kernel* kernel = nullptr;
  Memory* buffer = nullptr;

  void SetUp() override {
    built = &program();
    built->build({device}, "", {});
    kernel = new Kernel(*built, "sum");
    buffer = new Memory(*context, 0, 64, nullptr, {});
  }
  void TearDown() override {
    kernel->release();
    built->release();
    if (buffer) buffer->release();
  }
  void setAll() {
    const float vector[4] = {1, 2, 3, 4};
    kernel->setArg(0, sizeof vector, vector);
    setBuffer(buffer->handOut());
    kernel->setArg(2, 100, nullptr);
    kernel->setArg(3, 256, nullptr);
  }
  Frozen freeze(Kernel& its) {
    Frozen frozen{its};
    its.freeze(device, frozen.launch, frozen.memory);
    return frozen;
  }
  Frozen freeze() { return freeze(*kernel); }
  void setBuffer(cl_mem handle) { kernel->setArg(1, sizeof handle, &handle); }
  template <class T>
  static T at(const Frozen& frozen, std::size_t offset) {
    T value;
    std::memcpy(&value, frozen.launch.args.data() + offset, sizeof value);
    return value;
  }
};

TEST_F(CoreKernel, FreezePacksEveryArgument) {
  setAll();
  const Frozen frozen = freeze();
  EXPECT_EQ(frozen.launch.args.size(), 40U);
  EXPECT_EQ(at<float>(frozen, 8), 3.0F);
  // The address of a buffer is the device's business: the launch names it.
  EXPECT_EQ(at<std::uint64_t>(frozen, 16), 0U);
  ASSERT_EQ(frozen.launch.buffers.size(), 1U);
  EXPECT_EQ(frozen.launch.buffers[0].argument, 1U);
  EXPECT_EQ(frozen.launch.buffers[0].memory.allocation, buffer->at(0).allocation);
  EXPECT_EQ(frozen.launch.buffers[0].bytes, 64U);
  EXPECT_FALSE(frozen.launch.buffers[0].readOnly);
  // Local memory: 20 bytes of the kernel's own, 100 at the next cache line, 256 aligned to 128 for double16.
  EXPECT_EQ(at<std::uint64_t>(frozen, 24), 64U);
  EXPECT_EQ(at<std::uint64_t>(frozen, 32), 256U);
  EXPECT_EQ(frozen.launch.localBytes, 512U);
  EXPECT_EQ(kernel->localBytes(device), 512U);
  EXPECT_EQ(frozen.launch.info->name, "sum");
  ASSERT_EQ(frozen.memory.size(), 1U);
  EXPECT_NE(frozen.launch.executable, nullptr);
}

TEST_F(CoreKernel, ArgumentBlockIsAlignedForItsLargestValue) {
  for (const std::uint32_t alignment : {16U, 32U, 64U, 128U}) {
    auto wide = std::make_shared<compiler::CompiledProgram>(*compiled());
    wide->kernels[0].args.resize(1);
    wide->kernels[0].args[0].size = wide->kernels[0].args[0].align = wide->kernels[0].argBlockBytes = alignment;
    const core::Ref<core::Device> devices[] = {device};
    auto& wideProgram = *new core::Program(*context, devices, {wide});
    wideProgram.build({device}, "", {});
    auto* const wideKernel = new Kernel(wideProgram, "sum");
    const std::vector<std::byte> value(alignment, std::byte{7});
    wideKernel->setArg(0, alignment, value.data());
    std::vector<Frozen> frozen;
    for (int i = 0; i < 10; ++i) frozen.push_back(freeze(*wideKernel));
    for (const Frozen& each : frozen) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(each.launch.args.data()) % alignment, 0U) << alignment;
      EXPECT_EQ(at<char>(each, alignment - 1), 7);
    }
    wideKernel->release();
    wideProgram.release();
  }
}

TEST_F(CoreKernel, FrozenArgumentsDoNotChange) {
  setAll();
  const Frozen frozen = freeze();
  const float other[4] = {9, 9, 9, 9};
  kernel->setArg(0, sizeof other, other);
  setBuffer(nullptr);
  EXPECT_EQ(at<float>(frozen, 0), 1.0F);
  EXPECT_EQ(frozen.launch.buffers.size(), 1U);
  EXPECT_EQ(freeze().launch.buffers.size(), 0U);
}

// The earlier kind of an argument leaves nothing behind, whichever it becomes.
TEST_F(CoreKernel, AnArgumentMayBecomeAnotherKindOfValue) {
  setAll();
  const cl_mem handle = buffer->handOut();
  const int own = 0;
  for (int i = 0; i < 2; ++i) {
    setBuffer(handle);
    EXPECT_EQ(freeze().launch.buffers.size(), 1U);
    EXPECT_EQ(at<std::uint64_t>(freeze(), 16), 0U);
    setBuffer(nullptr);
    EXPECT_EQ(freeze().launch.buffers.size(), 0U);
    EXPECT_EQ(at<std::uint64_t>(freeze(), 16), 0U);
    kernel->setPointer(1, &own);
    expectError(CL_INVALID_OPERATION, "does not share memory", [&] { freeze(); });
    kernel->setPointer(1, nullptr);
    EXPECT_EQ(freeze().launch.buffers.size(), 0U);
  }
  // A released buffer counts as long as it is the argument only.
  setBuffer(handle);
  buffer->release();
  buffer = nullptr;
  expectError(CL_INVALID_KERNEL_ARGS, "released", [&] { freeze(); });
  setBuffer(nullptr);
  EXPECT_EQ(freeze().launch.buffers.size(), 0U);
}

// An argument that is set again to what it is, and launches between changes, each have what was set last.
TEST_F(CoreKernel, EveryLaunchHasWhatWasSetLast) {
  auto* const other = new Memory(*context, CL_MEM_READ_ONLY, 128, nullptr, {});
  setAll();
  std::vector<Frozen> frozen;
  for (Memory* const memory : {buffer, buffer, other, buffer, other}) {
    setBuffer(memory->handOut());
    kernel->setArg(2, memory->size(), nullptr);
    frozen.push_back(freeze());
    frozen.push_back(freeze());
  }
  const std::size_t bytes[] = {64, 64, 64, 64, 128, 128, 64, 64, 128, 128};
  for (std::size_t i = 0; i < std::size(bytes); ++i) {
    ASSERT_EQ(frozen[i].launch.buffers.size(), 1U) << i;
    EXPECT_EQ(frozen[i].launch.buffers[0].bytes, bytes[i]) << i;
    EXPECT_EQ(frozen[i].launch.buffers[0].readOnly, bytes[i] == 128) << i;
    EXPECT_EQ(&frozen[i].memory[0].memory.get(), bytes[i] == 128 ? other : buffer) << i;
    EXPECT_EQ(frozen[i].launch.locals[0].bytes, bytes[i]) << i;
    EXPECT_EQ(at<std::uint64_t>(frozen[i], 24), 64U) << i;
  }
  frozen.clear();
  other->release();
}

TEST_F(CoreKernel, BuffersThatAreOnlyReadAreNamedSo) {
  auto* const readOnly = new Memory(*context, CL_MEM_READ_ONLY, 64, nullptr, {});
  setAll();
  setBuffer(readOnly->handOut());
  const Frozen frozen = freeze();
  EXPECT_TRUE(frozen.launch.buffers[0].readOnly);
  EXPECT_EQ(frozen.memory[0].access, core::Access::Read);
  readOnly->release();
}

TEST_F(CoreKernel, ASubBufferIsNamedByItsPlaceInItsParent) {
  auto* const part = new Memory(*buffer, 0, 16, 32);
  setAll();
  setBuffer(part->handOut());
  const Frozen frozen = freeze();
  EXPECT_EQ(frozen.launch.buffers[0].memory.allocation, buffer->at(0).allocation);
  EXPECT_EQ(frozen.launch.buffers[0].memory.offset, 16U);
  EXPECT_EQ(frozen.launch.buffers[0].bytes, 32U);
  part->release();
}

TEST_F(CoreKernel, UnsetArgumentIsNamed) {
  const float vector[4] = {};
  kernel->setArg(0, sizeof vector, vector);
  expectError(CL_INVALID_KERNEL_ARGS, "kernel 'sum', argument 1 (float* in) is not set", [&] { freeze(); });
}

TEST_F(CoreKernel, WrongArgumentsAreNamedWithTheirValues) {
  const float vector[4] = {};
  expectError(CL_INVALID_ARG_INDEX, "has 4 arguments, there is no argument 4", [&] { kernel->setArg(4, 4, vector); });
  expectError(CL_INVALID_ARG_SIZE, "argument 0 (float4 v): size is 12, expected 16",
              [&] { kernel->setArg(0, 12, vector); });
  expectError(CL_INVALID_ARG_VALUE, "arg_value is null", [&] { kernel->setArg(0, 16, nullptr); });
  expectError(CL_INVALID_ARG_SIZE, "size is 4, expected 8", [&] { kernel->setArg(1, 4, vector); });
  kernel->setArg(2, 0, nullptr);  // no local memory: an error before OpenCL 3.1
  expectError(CL_INVALID_ARG_VALUE, "__local", [&] { kernel->setArg(2, 16, vector); });
  _cl_mem foreign;
  expectError(CL_INVALID_MEM_OBJECT, "is not a memory object", [&] { setBuffer(&foreign); });
}

TEST_F(CoreKernel, MemoryObjectOfAnotherContextIsRefused) {
  auto* const other = new core::Context({device}, {}, nullptr, nullptr);
  auto* const theirs = new Memory(*other, 0, 64, nullptr, {});
  expectError(CL_INVALID_CONTEXT, "another context", [&] { setBuffer(theirs->handOut()); });
  theirs->release();
  other->release();
}

TEST_F(CoreKernel, KernelDoesNotOwnItsBuffers) {
  setAll();
  EXPECT_EQ(pool.allocations, 1);
  buffer->release();
  buffer = nullptr;
  EXPECT_EQ(pool.allocations, 0);
  expectError(CL_INVALID_KERNEL_ARGS, "argument 1 (float* in): its memory object has been released", [&] { freeze(); });
  // Another object may live at the same place now: it is not the one that was meant.
  buffer = new Memory(*context, 0, 64, nullptr, {});
  expectError(CL_INVALID_KERNEL_ARGS, "released", [&] { freeze(); });
}

TEST_F(CoreKernel, FrozenKernelKeepsItsBuffers) {
  setAll();
  {
    const Frozen frozen = freeze();
    buffer->release();
    buffer = nullptr;
    EXPECT_EQ(pool.allocations, 1);
  }
  EXPECT_EQ(pool.allocations, 0);
}

TEST_F(CoreKernel, CloneHasItsOwnArguments) {
  setAll();
  auto* const clone = new Kernel(*kernel);
  const float other[4] = {9, 9, 9, 9};
  kernel->setArg(0, sizeof other, other);
  setBuffer(nullptr);
  EXPECT_EQ(at<float>(freeze(*clone), 0), 1.0F);
  EXPECT_EQ(freeze(*clone).launch.buffers.size(), 1U);
  EXPECT_EQ(at<float>(freeze(), 0), 9.0F);
  EXPECT_EQ(freeze().launch.buffers.size(), 0U);
  clone->release();
}

TEST_F(CoreKernel, ProgramWithKernelsCannotBeBuiltAgain) {
  expectError(CL_INVALID_OPERATION, "1 kernel objects are attached", [&] { built->build({device}, "", {}); });
  auto* const second = new Kernel(*built, "sum");
  expectError(CL_INVALID_OPERATION, "2 kernel objects", [&] { built->build({device}, "", {}); });
  second->release();
  // A kernel that only a command in flight keeps does not count, and keeps its executable.
  setAll();
  const Frozen inFlight = freeze();
  kernel->release();
  built->build({device}, "", {});
  EXPECT_EQ(fake.loads, 2);
  EXPECT_NE(built->executable(device), inFlight.launch.executable);
  kernel = new Kernel(*built, "sum");
}

TEST_F(CoreKernel, KernelNamesAndMissingExecutablesAreChecked) {
  expectError(CL_INVALID_KERNEL_NAME, "no kernel 'product'", [&] { new Kernel(*built, "product"); });
  core::Program& unbuilt = program();
  expectError(CL_INVALID_PROGRAM_EXECUTABLE, "no executable", [&] { new Kernel(unbuilt, "sum"); });
  unbuilt.build({device}, "", {});  // the failed kernels are not attached
  unbuilt.release();
}

}  // namespace
}  // namespace clarity::test
