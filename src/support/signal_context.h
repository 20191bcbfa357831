// SPDX-License-Identifier: Apache-2.0
// This file reads the processor's registers from the context that a signal handler gets.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <optional>

namespace clarity::support {

inline const void* stackPointerOf(const ucontext_t& context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.sp);
#else
  (void)context;
  return nullptr;
#endif
}

inline const void* instructionOf(const ucontext_t& context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
#else
  (void)context;
  return nullptr;
#endif
}

/// The error code of a page fault, in x86's form; none of another fault, and on other processors.
inline std::optional<std::uint64_t> pageFaultBitsOf(const ucontext_t& context) {
#if defined(__x86_64__)
  constexpr auto pageFaultTrap = 14;
  if (context.uc_mcontext.gregs[REG_TRAPNO] == pageFaultTrap)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_ERR]);
#else
  (void)context;
#endif
  return std::nullopt;
}

/// Whether the interrupted thread has computed with denormal operands since this was asked, or its flag was cleared
/// otherwise. False on other processors than x86.
inline bool takeDenormalFlag(ucontext_t& context) {
#if defined(__x86_64__)
  constexpr std::uint32_t denormalOperand = 2;
  if (!context.uc_mcontext.fpregs) return false;
  const bool was = (context.uc_mcontext.fpregs->mxcsr & denormalOperand) != 0;
  context.uc_mcontext.fpregs->mxcsr &= ~denormalOperand;
  return was;
#else
  (void)context;
  return false;
#endif
}

}  // namespace clarity::support
