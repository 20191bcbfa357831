// SPDX-License-Identifier: Apache-2.0
// This file says which memory an instruction of the processor accesses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clarity::check {

/// The general registers, in the order of their numbers in instructions: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to
/// r15.
using MachineRegisters = std::array<std::uint64_t, 16>;

struct MachineAccess {
  std::uint64_t address = 0;  ///< the address of the first byte
  bool writes = false;
};

/// Not for several threads at once.
class MachineCode {
public:
  /// Null where this processor's instructions are not known.
  static std::unique_ptr<MachineCode> create();
  virtual ~MachineCode() = default;
  /// The accesses of the instruction at an address, with these registers before it. Accesses by segment registers and
  /// gathers are left out. `code`: bytes from there on.
  virtual std::vector<MachineAccess> accesses(std::uint64_t address, std::span<const std::byte> code,
                                              const MachineRegisters&) = 0;
};

}  // namespace clarity::check
