// SPDX-License-Identifier: Apache-2.0
// This file tests the states of programs, and builds that end on another thread.
#include "core/program.h"

#include "core_fake_device.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace clarity::test {
namespace {

using core::BuildState;
using core::Program;

struct CoreProgram : FakeContext {};

TEST_F(CoreProgram, BinaryIsKnownBeforeAndExecutableAfterTheBuild) {
  Program& it = program();
  EXPECT_EQ(it.state(device).status, CL_BUILD_NONE);
  EXPECT_EQ(it.state(device).type, static_cast<cl_program_binary_type>(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
  EXPECT_EQ(it.executable(device), nullptr);
  expectError(CL_INVALID_PROGRAM_EXECUTABLE, "no executable", [&] { it.kernelNames(); });
  it.build({device}, "-DX=1", {});
  const BuildState state = it.state(device);
  EXPECT_EQ(state.status, CL_BUILD_SUCCESS);
  EXPECT_EQ(state.options, "-DX=1");
  EXPECT_NE(it.executable(device), nullptr);
  EXPECT_EQ(it.kernelNames(), std::vector<std::string>{"sum"});
  it.release();
}

TEST_F(CoreProgram, BinaryProgramHasNoSourceToCompile) {
  Program& it = program();
  expectError(CL_INVALID_OPERATION, "no source", [&] { it.compile({device}, "", {}, {}); });
  it.release();
}

TEST_F(CoreProgram, RefusedBinaryCannotBeBuilt) {
  const core::Ref<core::Device> devices[] = {device};
  const std::vector<std::shared_ptr<const compiler::CompiledProgram>> refused{nullptr};
  auto& it = *new Program(*context, devices, refused);
  EXPECT_FALSE(it.isFromBinary(device));
  expectError(CL_INVALID_BINARY, "no binary was loaded", [&] { it.build({device}, "", {}); });
  it.release();
}

TEST_F(CoreProgram, ForeignDeviceIsRefused) {
  Program& it = program();
  auto* const other = new core::Device(std::make_unique<FakeDevice>());
  EXPECT_FALSE(it.has(*other));
  expectError(CL_INVALID_DEVICE, "not one of the program's", [&] { it.state(*other); });
  it.release();
  other->releaseInternal();
}

struct Done {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  std::thread::id thread;
  cl_build_status status = CL_BUILD_NONE;

  static void CL_CALLBACK notify(cl_program program, void* data) {
    auto* const self = static_cast<Done*>(data);
    const std::lock_guard lock(self->mutex);
    auto* const it = static_cast<Program*>(program);
    self->status = it->state(it->devices().front()).status;
    self->thread = std::this_thread::get_id();
    ++self->count;
    self->changed.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return count == 1; });
  }
};

TEST_F(CoreProgram, BuildWithACallbackEndsOnAnotherThread) {
  Done done;
  Program& it = program();
  it.build({device}, "", {&Done::notify, &done});
  it.release();  // the build keeps it
  done.wait();
  EXPECT_EQ(done.status, CL_BUILD_SUCCESS);
  EXPECT_NE(done.thread, std::this_thread::get_id());
}

TEST_F(CoreProgram, LinkNeedsCompiledInputs) {
  Program& it = program();
  cl_int code = CL_SUCCESS;
  expectError(CL_INVALID_OPERATION, "none of the 1 input programs",
              [&] { Program::link(*context, {device}, "", {it}, {}, code); });
  it.release();
}

TEST_F(CoreProgram, KernelDefinitionsComeFromTheCompiledProgram) {
  Program& it = program();
  it.build({device}, "", {});
  EXPECT_EQ(it.built(device).compiled->kernels.front().args.size(), 4U);
  it.release();
}

}  // namespace
}  // namespace clarity::test
