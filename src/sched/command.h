// SPDX-License-Identifier: Apache-2.0
// This file holds the commands that can be enqueued: one small class for each kind.
#pragma once

#include "core/kernel.h"
#include "core/memory.h"
#include "core/ref.h"
#include "device/device.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace clarity::sched {

using core::Ref;

/// "clEnqueueReadBuffer" for CL_COMMAND_READ_BUFFER: the call that makes such commands, for texts.
std::string commandName(cl_command_type type);

/// Something that a device does in its turn. Holds everything that it needs; nothing is left to check.
class Command {
public:
  explicit Command(cl_command_type type) : type_(type) {}
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  cl_command_type type() const { return type_; }
  /// Whether it takes so long that a thread should start on it before anybody waits for it.
  virtual bool isHeavy() const { return false; }

  /// What has to be done before and is not counted as running: compiling. Never throws.
  device::Result prepare(device::Device& device) noexcept { return guarded(&Command::doPrepare, device); }
  /// Begins with what prepare() will do, where that can be done while the command waits for others. Returns at once.
  virtual void prepareAhead() noexcept {}
  /// Does it. Never throws.
  device::Result execute(device::Device& device) noexcept { return guarded(&Command::act, device); }

private:
  virtual device::Result doPrepare(device::Device&) { return {}; }
  virtual device::Result act(device::Device&) = 0;
  device::Result guarded(device::Result (Command::*step)(device::Device&), device::Device& device) noexcept;

  cl_command_type type_;
};

/// Markers, barriers, migrations, maps and unmaps of memory that host and device share: only its place in the order
/// matters.
class OrderCommand final : public Command {
public:
  explicit OrderCommand(cl_command_type type, std::vector<Ref<core::Memory>> memory = {})
      : Command(type), memory_(std::move(memory)) {}

private:
  device::Result act(device::Device&) override { return {}; }
  std::vector<Ref<core::Memory>> memory_;
};

/// Bytes from one place to another: read, write and copy.
class CopyCommand final : public Command {
public:
  CopyCommand(cl_command_type type, std::byte* to, const std::byte* from, std::size_t bytes,
              std::vector<Ref<core::Memory>> memory)
      : Command(type), to_(to), from_(from), bytes_(bytes), memory_(std::move(memory)) {}
  bool isHeavy() const override;

private:
  device::Result act(device::Device& device) override { return device.copy(to_, from_, bytes_); }
  std::byte* to_;
  const std::byte* from_;
  std::size_t bytes_;
  std::vector<Ref<core::Memory>> memory_;
};

/// A rectangular read, write or copy.
class RectCommand final : public Command {
public:
  RectCommand(cl_command_type type, std::byte* to, const std::byte* from, const device::RectCopy& rect,
              std::vector<Ref<core::Memory>> memory)
      : Command(type), to_(to), from_(from), rect_(rect), memory_(std::move(memory)) {}
  bool isHeavy() const override;

private:
  device::Result act(device::Device& device) override { return device.copyRect(to_, from_, rect_); }
  std::byte* to_;
  const std::byte* from_;
  device::RectCopy rect_;
  std::vector<Ref<core::Memory>> memory_;
};

/// A pattern over and over.
class FillCommand final : public Command {
public:
  FillCommand(core::Memory& memory, std::size_t offset, std::size_t bytes, const void* pattern,
              std::size_t patternBytes);
  bool isHeavy() const override;

private:
  device::Result act(device::Device& device) override;
  Ref<core::Memory> memory_;
  std::size_t offset_, bytes_, patternBytes_;
  std::array<std::byte, 128> pattern_;
};

/// A kernel over an NDRange.
class LaunchCommand final : public Command {
public:
  LaunchCommand(cl_command_type type, core::FrozenKernel kernel, const device::NDRange& range);
  bool isHeavy() const override;
  void prepareAhead() noexcept override;

private:
  device::Result doPrepare(device::Device&) override;
  device::Result act(device::Device&) override;
  Ref<core::Kernel> kernel_;
  std::vector<Ref<core::Memory>> buffers_;
  device::Executable* executable_;
  device::Launch launch_;
};

/// A function of the application (clEnqueueNativeKernel) with a copy of its arguments.
class NativeCommand final : public Command {
public:
  using Function = void(CL_CALLBACK*)(void* args);
  NativeCommand(Function function, std::vector<std::byte> args, bool hasArgs, std::vector<Ref<core::Memory>> memory)
      : Command(CL_COMMAND_NATIVE_KERNEL),
        function_(function),
        args_(std::move(args)),
        hasArgs_(hasArgs),
        memory_(std::move(memory)) {}
  bool isHeavy() const override { return true; }

private:
  device::Result act(device::Device&) override;
  Function function_;
  std::vector<std::byte> args_;
  bool hasArgs_;
  std::vector<Ref<core::Memory>> memory_;
};

}  // namespace clarity::sched
