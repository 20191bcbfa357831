// SPDX-License-Identifier: Apache-2.0
// This file runs code that may fault (generated code, the compiler) so that a fault ends the call and not the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace clarity::support {

/// Why a guarded call did not return.
struct Fault {
  enum class Access { Unknown, Read, Write, Execute };

  int signal = 0;                 ///< SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP; 0: abandon() was called
  const void* address = nullptr;  ///< what was accessed (SIGSEGV, SIGBUS), else the instruction
  const void* instruction = nullptr;
  Access access = Access::Unknown;
  bool stackOverflow = false;  ///< the address is at the end of this thread's stack
  std::string text;            ///< of abandon()

  /// "wrote to address 0x10, which it may not access", "divided by zero", ...; for use after "kernel 'foo' ".
  std::string describe() const;
};

/// Runs a function so that a fault of this thread inside it, or abandon(), ends it immediately: frames in between are
/// not unwound, locks that they hold stay locked, memory that they own leaks. Guards nest; the innermost one ends.
///
/// Signal handlers are installed when the first guard of the process runs and pass every fault that is not inside
/// a guard on to the handler that was there before.
class FaultGuard {
public:
  /// True if fn returned, false after a fault, which `out` then describes. Exceptions of fn propagate.
  template <class Fn>
  static bool run(Fn&& fn, Fault& out) {
    using Function = std::remove_reference_t<Fn>;
    return call([](void* function) { (*static_cast<Function*>(function))(); },
                const_cast<void*>(static_cast<const void*>(std::addressof(fn))), out);
  }

  /// Ends the innermost guarded call of this thread. Does nothing, and returns, if there is none.
  static void abandon(std::string text);

  /// True on a thread inside run() and outside every Outside.
  static bool active() noexcept;

  /// While one exists, faults of this thread are not handled by the guard: for calls from guarded code into the driver,
  /// which may hold locks.
  class Outside {
  public:
    Outside() noexcept;
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

  private:
    void* suspended_;
  };

  /// While one exists, this thread runs on a stack of the driver, whose lowest page, at `low`, is a guard page.
  class OtherStack {
  public:
    explicit OtherStack(const void* low) noexcept;
    ~OtherStack();
    OtherStack(const OtherStack&) = delete;
    OtherStack& operator=(const OtherStack&) = delete;

  private:
    const void* before_;
  };

private:
  static bool call(void (*function)(void*), void* argument, Fault& out);
};

}  // namespace clarity::support
