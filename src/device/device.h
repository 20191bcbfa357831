// SPDX-License-Identifier: Apache-2.0
// This file is the whole interface of a device. The CPU is its first implementation; api, core and sched are
// written against this and nothing below it.
#pragma once

#include "device/executable.h"
#include "device/properties.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device {

/// How a device is divided (clCreateSubDevices): every entry is one sub-device with that many compute units.
struct Partition {
  std::vector<std::uint32_t> units;
  bool byNuma = false;  ///< one sub-device for each NUMA node; `units` is ignored
};

/// A rectangular copy in bytes: `region` is bytes x rows x slices; the pitches tell how far rows and slices are apart.
struct RectCopy {
  std::size_t region[3] = {0, 1, 1};
  std::size_t toRowPitch = 0, toSlicePitch = 0;
  std::size_t fromRowPitch = 0, fromSlicePitch = 0;
};

/// A device. Thread-safe; verbs are synchronous and run on the calling thread and the device's workers.
class Device {
public:
  virtual ~Device() = default;
  virtual const Properties& properties() const = 0;
  virtual const compiler::Target& target() const = 0;

  /// Memory that both host and device see, at least 128 bytes aligned; nullptr when there is none.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory, std::size_t bytes) = 0;

  virtual std::unique_ptr<Executable> load(std::shared_ptr<const compiler::Image>) = 0;

  /// The work-group size for a launch that left it to us (local_work_size NULL; section 5.8 of the specification).
  virtual void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const = 0;

  /// Memory to memory at the rate of all cores. No overlap. `bytes` of a fill is a multiple of the pattern's size,
  /// which is a power of two up to 128.
  virtual Result copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual Result copyRect(std::byte* to, const std::byte* from, const RectCopy&) = 0;
  virtual Result fill(std::byte* to, std::span<const std::byte> pattern, std::size_t bytes) = 0;

  /// Devices that share this one's memory and a part of its compute units.
  virtual std::vector<std::unique_ptr<Device>> partition(const Partition&) = 0;

  /// Nanoseconds on the clock of profiling times (monotonic; the host's clock for the CPU).
  virtual std::uint64_t now() const = 0;
};

/// What the user may decide about the devices (core/config.def).
struct Options {
  std::uint32_t threads = 0;   ///< compute units of the CPU device; 0: as many as this process may use
  std::string cpu = "native";  ///< LLVM's name of the processor to generate code for
};

/// The extensions and OpenCL C features, separated by spaces, of every device that discover() finds; known before any
/// is looked for, which takes longer.
std::string_view commonExtensions();

/// The devices of this machine. Never empty: the CPU is always there.
std::vector<std::unique_ptr<Device>> discover(const Options& = {});

/// While `end` is true, launches end as soon as may be, with an error: the process is about to exit.
void endLaunches(bool end) noexcept;

}  // namespace clarity::device
