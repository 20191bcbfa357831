// SPDX-License-Identifier: Apache-2.0
// This file follows memory that is the application's only while it is mapped: that of CL_MEM_USE_HOST_PTR, shared
// memory of coarse grain, regions that were mapped before, and what lies beside a region in the same memory. While no
// command may run and no call is under way, its whole pages are inaccessible, and the processor watches bytes of memory
// without pages. Memory that no command may have written, and that was never mapped, may be read.
#pragma once

#include "check/host/host_checks.h"
#include "check/host/host_steps.h"
#include "check/host/host_watch.h"

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace clarity::check {

class MappedMemory {
public:
  static constexpr auto watcher = PageWatch::Watcher::Mappings;
  static constexpr std::uint64_t mostHashed = std::uint64_t{256} << 20;

  static constexpr std::uint64_t unknownBytes = ~std::uint64_t{0};
  struct Mapping {
    CommandRef command;
    std::uint64_t memory = 0, pointer = 0, offset = 0, bytes = 0;  ///< bytes: unknownBytes for rows of an image
    bool forWriting = false;
    std::uint64_t hash = 0;   ///< a hash of a region mapped for reading; 0: none
    bool isReported = false;  ///< used before it was known to be mapped
    bool isLeft = false;      ///< it is reported that the host uses memory beside it
    std::string words() const;
  };
  /// Memory of the application that is a buffer's, or that it shares with the device. The hash is that of its content
  /// while no command uses it and it is not mapped; 0: it may change.
  struct HostMemory {
    std::uint64_t address = 0, bytes = 0, hash = 0;
    std::vector<CommandRef> users{};  ///< commands that may use it
    bool isPrivate = true;            ///< the device's: the host may not even read it
  };
  /// A part of memory that is not mapped while another part is.
  struct Gap {
    std::uint64_t memory = 0, address = 0, bytes = 0;
    bool isPrivate = true;
  };
  /// A region that was mapped once.
  struct Region {
    std::uint64_t memory = 0, address = 0, bytes = 0;
  };

  explicit MappedMemory(const HostScene& scene) : scene_(scene) {}

  void add(std::uint64_t handle, std::uint64_t address, std::uint64_t bytes, bool isPrivate);
  static void rehash(HostMemory& memory) { memory.hash = PageWatch::hash(memory.address, memory.bytes); }
  /// Whether the host may use shared memory while it is mapped only.
  static bool isCoarse(const HostObject& object);
  /// Whether the pointer of a mapping is to the object's own memory.
  bool isDirect(const Mapping& mapping) const;
  /// Whether all of an object or a part of it is mapped.
  bool isMapped(std::uint64_t handle) const;
  /// Whether another buffer has some of it.
  bool isShared(std::uint64_t handle, const HostMemory& memory) const;

  /// Makes all of it accessible: commands may run.
  void open();
  /// Watches the parts that the host must not touch, unless a command may run.
  void shut();
  /// The mapped region that an address beside all of them is nearest to; null: there is none.
  Mapping* nearest(std::uint64_t address);
  /// The help where the host uses memory beside a region.
  std::string helpBeside(const Mapping& mapping, std::uint64_t address) const;
  /// The parts of objects beside their mapped regions that no region has; none where regions are not known.
  std::vector<Gap> gaps() const;
  /// Memory that shut() does not watch whole: without pages, or in use by commands.
  std::vector<StepWatch::Range> rangesToStep() const;

  std::list<Mapping> mappings;
  std::list<Region> regions;  ///< that are not mapped any more
  std::map<std::uint64_t, HostMemory> hostMemory;

  /// The bit of an owner of watched memory that says that it is the address of a gap.
  static constexpr std::uint64_t gapBit = std::uint64_t{1} << 61;

private:
  /// The memory of an object that has mapped regions; no bytes: it is not known.
  Gap wholeOf(std::uint64_t memory) const;
  void watchGuards();

  const HostScene& scene_;
  bool isShut_ = false;
  std::vector<std::uint64_t> watchedGaps_;  ///< their owners
};

}  // namespace clarity::check
