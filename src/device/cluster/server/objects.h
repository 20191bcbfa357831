// SPDX-License-Identifier: Apache-2.0
// This file is the objects that the host has made on a node, by their numbers.
#pragma once

#include "device/cluster/launch_message.h"
#include "device/cluster/server/task.h"
#include "device/device.h"
#include "device/device_queue.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace clarity::device::cluster::server {

using ProgramHash = std::array<std::uint64_t, 2>;

/// A program on a device, from its Load on; the compiled program may come later.
struct Program {
  Device* device = nullptr;
  ProgramHash hash{};
  std::shared_ptr<const compiler::CompiledProgram> compiled;
  std::shared_ptr<Executable> executable;
  Result failure;  ///< why there is none
  SourceText source;
  std::vector<Task*> waiting;               ///< launches
  std::vector<std::uint32_t> toBePrepared;  ///< kernels
  std::vector<bool> isPrepared;             ///< by kernel
  bool isThere() const { return executable || !failure; }
};

/// For one thread at a time.
class Objects final : public cluster::LaunchObjects {
public:
  explicit Objects(std::vector<std::unique_ptr<Device>> devices);

  std::size_t roots() const { return roots_; }
  Device* device(std::uint32_t number) const;
  void addDevice(std::uint32_t number, std::unique_ptr<Device> part) { parts_[number] = std::move(part); }
  void endDevice(std::uint32_t number) { parts_.erase(number); }

  void allocate(std::uint32_t number, std::uint32_t device, std::uint64_t bytes);
  void free(std::uint32_t number) { allocations_.erase(number); }
  /// Null if there is none.
  std::shared_ptr<Allocation> keep(std::uint32_t number) const;
  /// The device whose memory it is.
  Device* deviceOf(std::uint32_t allocation) const;

  void makeStream(std::uint32_t number, std::uint32_t device, const StreamOptions&);
  void endStream(std::uint32_t number);
  std::shared_ptr<LocalStream> stream(std::uint32_t number) const;
  /// A stream of the device for commands that belong to none of the host's.
  std::shared_ptr<LocalStream> ownStream(Device*);

  /// False: the program has to be asked for, once.
  bool load(std::uint32_t number, std::uint32_t device, const ProgramHash&);
  /// Whether a program that was asked for is still wanted.
  bool isWanted(const ProgramHash&);
  /// The bytes of a program, which is then loaded where it was wanted. The programs that it was.
  std::vector<Program*> arrived(const ProgramHash&, std::string_view bytes);
  void unload(std::uint32_t number) { programs_.erase(number); }
  Program* program(std::uint32_t number);

  /// The operation that was read last will run later: its kernel is compiled if this is its first launch.
  void prepareAhead(const Operation&);
  /// Ends launches that have this flag; returns what to do, without the objects.
  std::function<void()> endLaunches(std::uint32_t flag);

  // cluster::LaunchObjects
  Kernel kernel(std::uint32_t executable, std::uint32_t kernel) override;
  Allocation* allocation(std::uint32_t number) override;
  const std::atomic<bool>* endFlag(std::uint32_t number) override;
  std::shared_ptr<DeviceQueue> queue(std::uint64_t name, std::uint64_t bytes) override;
  const Properties& propertiesOf(std::uint32_t executable) override;

  /// Why the last launch could not be read, if it is no mistake of the message.
  Result takeObjection() { return std::exchange(objection_, {}); }

private:
  struct Memory {
    std::shared_ptr<Allocation> allocation;
    Device* device;
    std::uint64_t bytes;
  };
  std::shared_ptr<const compiler::CompiledProgram> known(const ProgramHash&, Device&);
  void make(Program&);

  std::vector<std::unique_ptr<Device>> devices_;
  std::size_t roots_;
  std::map<std::uint32_t, std::unique_ptr<Device>> parts_;
  std::unordered_map<std::uint32_t, Memory> allocations_;
  std::unordered_map<std::uint32_t, std::shared_ptr<LocalStream>> streams_;
  std::map<Device*, std::shared_ptr<LocalStream>> ownStreams_;
  std::unordered_map<std::uint32_t, Program> programs_;
  std::map<ProgramHash, std::weak_ptr<const compiler::CompiledProgram>> compiled_;
  std::set<ProgramHash> asked_;  ///< for programs that have not come
  std::unordered_map<std::uint32_t, std::shared_ptr<std::atomic<bool>>> flags_;
  std::unordered_map<std::uint64_t, std::shared_ptr<DeviceQueue>> queues_;
  Program* last_ = nullptr;  ///< the program of the launch that was read last
  Result objection_;
};

}  // namespace clarity::device::cluster::server
