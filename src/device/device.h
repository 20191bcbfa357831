// SPDX-License-Identifier: Apache-2.0
// This file is what a device is. Together with properties.h (what it reports), memory.h (where data is),
// executable.h (programs), stream.h (work), observer.h (events of instrumented code) and the types that these use
// (result.h, arg_block.h, source_text.h) it is the whole interface of a device: core and sched use these and nothing
// below them, api uses core and sched. Implementations are the CPU (cpu/), NVIDIA GPUs (cuda/), devices of other nodes
// (cluster/), several devices as one (joined/) and a test device (tests/discrete).
#pragma once

#include "device/executable.h"
#include "device/memory.h"
#include "device/properties.h"
#include "device/stream.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device {

/// The division of a device (clCreateSubDevices): every entry is one sub-device with that many compute units.
struct Partition {
  std::vector<std::uint32_t> units;
  bool byNuma = false;  ///< one sub-device for each NUMA node; `units` is ignored
};

/// A device. Thread-safe. No function except endLaunches() waits for submitted operations.
class Device {
public:
  virtual ~Device() = default;
  virtual const Properties& properties() const = 0;
  virtual const compiler::Target& target() const = 0;

  /// Called before the first object is made on it, perhaps several times: does what takes time or memory and is not
  /// needed to say what the device is. An error code for clCreateContext and a sentence if it cannot be used.
  virtual Result start() { return {}; }

  /// The memory of its buffers. Devices that return the same object share their memory.
  virtual MemoryPool& memory() const = 0;

  /// A program for this device. std::bad_alloc when there is no memory for its variables.
  virtual std::unique_ptr<Executable> load(std::shared_ptr<const compiler::CompiledProgram>) = 0;

  /// The work-group size for a launch that left it to us (local_work_size NULL; section 5.8 of the specification).
  virtual void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const = 0;

  virtual std::unique_ptr<Stream> createStream(const StreamOptions&) = 0;
  /// Prepares a list of operations that can be run repeatedly as one operation (stream.h: Recording). Their memory must
  /// be accessible to the host. Compiles the code that they need. Null if the device has no faster way than submitting
  /// them one by one.
  virtual std::shared_ptr<const Recording> record(std::span<const Operation* const>) { return nullptr; }
  /// Stream::flush() for all streams of this device.
  virtual void flush() = 0;

  /// Stops running launches whose Launch::ended is this flag. The caller has set it to true. Returns when none of them
  /// is running, or after some seconds. Only for devices with Properties::endsLaunches.
  virtual void endLaunches(const std::atomic<bool>&) {}

  /// Devices that share this one's memory and a part of its compute units (clCreateSubDevices, section 4.3).
  virtual std::vector<std::unique_ptr<Device>> partition(const Partition&) = 0;

  /// Nanoseconds on the clock of profiling times: monotonic and the host's. A device with another clock converts.
  virtual std::uint64_t now() const = 0;
};

/// Settings of the user about the devices (core/config.def).
struct Options {
  std::uint32_t threads = 0;          ///< compute units of the CPU device; 0: as many as this process may use
  std::string kinds = "cpu";          ///< kinds of devices, in their order, separated by commas: cpu, nvidia, ...
  std::string cpu = "native";         ///< LLVM's name of the processor to generate code for
  std::string type = "cpu";           ///< the type that the CPU device claims: cpu, gpu, accelerator
  std::string firstLaunch = "quick";  ///< code that a small first launch gets: quick, full
  std::string mpi{};                  ///< that has made this process a rank of several: openmpi, mpich; empty: none
  std::string joined = "measured";    ///< the shares of a joined device's parts: measured, random, or numbers: 1:3
};

/// The extensions and OpenCL C features, separated by spaces, of every device that discover() finds. Can be called
/// before discover(), which is slow.
std::string_view commonExtensions();

/// Lets the program of a cluster use the devices of this process, which is one of its nodes, until that program has
/// ended. A sentence if it did not end in order, or if this process is no node. `stuck` is called instead if a kernel
/// keeps the thread; it is to end the process.
std::string serve(const Options&, void (*stuck)());

/// The devices of this machine, which live as long as the process. Never empty: the CPU is there if no other device is.
std::vector<std::unique_ptr<Device>> discover(const Options& = {});

}  // namespace clarity::device
