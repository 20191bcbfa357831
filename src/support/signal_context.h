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

}  // namespace clarity::support
