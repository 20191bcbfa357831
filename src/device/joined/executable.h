// SPDX-License-Identifier: Apache-2.0
// This file is a program on a joined device: an executable of each part, and what is known of each kernel's accesses
// and speeds.
#pragma once

#include "device/device.h"
#include "device/joined/memory.h"
#include "device/joined/order.h"
#include "device/joined/shares.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clarity::device::joined {

/// The parts of a joined device and how it divides: what its program, streams and divisions need of it. Lives as long
/// as the device.
struct Parts {
  std::vector<std::unique_ptr<Device>> devices;
  std::shared_ptr<Device> divided;   ///< that sub-devices among the devices are parts of
  bool shareMemory = false;          ///< all have one pool, which the host can access
  std::unique_ptr<JoinedPool> pool;  ///< the pool of parts that do not
  ShareRule rule;
  Dice dice;
  Order order;
  std::atomic<double> bytesPerNanosecond{10};  ///< that content moves with from part to part

  PartIndex count() const { return static_cast<PartIndex>(devices.size()); }
  /// The speed of each part beside the others', before anything is measured.
  std::vector<double> weights() const;
};

/// A kernel of a joined program. Thread-safe.
class JoinedKernel {
public:
  explicit JoinedKernel(std::vector<double> weights) : speeds(std::move(weights)) {}

  /// Read from the kernel's code when it is first asked for.
  const compiler::AccessSummary& accesses(const compiler::CompiledProgram&, const compiler::KernelInfo&);

  /// The ranges of a launch's parts, as accessedBy() says; the last ones are kept.
  using Ranges = std::vector<std::vector<compiler::AccessedRange>>;
  std::shared_ptr<const Ranges> rangesOf(const compiler::CompiledProgram&, const Launch&,
                                         const std::vector<GroupBox>& boxes);

  Speeds speeds;

private:
  struct Kept {
    NDRange range;
    std::vector<std::byte> args;
    std::vector<GroupBox> boxes;
    std::shared_ptr<const Ranges> ranges;
  };
  std::once_flag read_;
  compiler::AccessSummary accesses_;
  std::mutex mutex_;
  Kept kept_[2];
  unsigned oldest_ = 0;
};

class JoinedExecutable final : public Executable {
public:
  JoinedExecutable(std::shared_ptr<const compiler::CompiledProgram>, const Parts&);

  void prepareAhead(const Launch&, Runs) override;
  void prepareKernel(const compiler::KernelInfo&) override;
  std::size_t largestGroup(const compiler::KernelInfo&) override;

  const compiler::CompiledProgram& compiled() const { return *compiled_; }
  /// A part's executable, with the source that messages quote.
  Executable& part(PartIndex);
  /// Null for the constructors.
  JoinedKernel* kernelOf(const compiler::KernelInfo&);

private:
  std::shared_ptr<const compiler::CompiledProgram> compiled_;
  const Parts& parts_;
  std::vector<std::shared_ptr<Executable>> executables_;
  std::vector<std::unique_ptr<JoinedKernel>> kernels_;
  std::once_flag sourceIsSet_;
};

/// A launch as a part gets it: with the part's executable and memory.
Launch launchOn(PartIndex, const Launch&, const Parts&);
/// Leaves a launch only some of its work-groups.
void keepGroups(Launch&, const GroupBox&);

}  // namespace clarity::device::joined
