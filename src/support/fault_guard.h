// SPDX-License-Identifier: Apache-2.0
// This file runs code that may fault (generated code, the compiler) so that a fault ends the call and not the process.
#pragma once

#include "support/stack_range.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace clarity::support {

/// Why a guarded call did not return.
struct Fault {
  enum class Access { Unknown, Read, Write, Execute };

  int signal = 0;                 ///< SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP; 0: abandon() was called
  const void* address = nullptr;  ///< the accessed memory (SIGSEGV, SIGBUS), else the instruction
  const void* instruction = nullptr;
  Access access = Access::Unknown;
  bool stackOverflow = false;  ///< the address is below the stack that the thread was on
  bool stackOverrun = false;   ///< the address is above it: only for stacks of the driver (OtherStack)
  std::string text;            ///< the text of abandon()
  /// The words at the top of a stack of the driver's: in a function without a frame, such as memcpy, one of the first
  /// is the address that it returns to. Null behind the end of the stack, and on other stacks.
  std::array<const void*, 16> stackWords{};

  /// "wrote to address 0x10, which it may not access", "divided by zero", ...; for use after "kernel 'foo' ".
  std::string describe() const;
};

/// Runs a function so that a fault of this thread inside it, or abandon(), ends it immediately: frames in between are
/// not unwound, locks that they hold stay locked, memory that they own leaks. Guards nest; the innermost one ends.
///
/// Data that are needed to go on after a fault are in the frame of run(): a function that may overwrite its own stack
/// runs on another one (OtherStack). A second fault before run() has returned is not guarded.
///
/// Signal handlers are installed when the first guard of the process runs and pass every fault that is not inside
/// a guard on to the handler that was there before. Handlers that the application installs later, alternate signal
/// stacks that it takes away and signals that it blocks are noticed by the first guard that runs
/// lookIntervalMilliseconds or more after the last look: ours are then installed again, and pass on to the
/// application's. An application's handler may call the one that it replaced, which is ours.
class FaultGuard {
public:
  /// Measured by the kernel's clock, which moves on every 1 to 10 ms.
  static constexpr int lookIntervalMilliseconds = 10;

  static constexpr std::size_t mostText = 500;

  /// True if fn returned, false after a fault, which `out` then describes. Exceptions of fn propagate.
  template <class Fn>
  static bool run(Fn&& fn, Fault& out) {
    using Function = std::remove_reference_t<Fn>;
    return call([](void* function) { (*static_cast<Function*>(function))(); },
                const_cast<void*>(static_cast<const void*>(std::addressof(fn))), out);
  }

  /// Ends the innermost guarded call of this thread. Does nothing, and returns, if there is none. The beginning is kept
  /// of a text longer than mostText. `instruction` becomes Fault::instruction.
  static void abandon(std::string_view text, const void* instruction = nullptr);

  /// The next call that this thread guards while one exists can be ended from other threads (requestEnd) once `*ended`
  /// is true; calls inside of it cannot. Null: it cannot either.
  class Endable {
  public:
    explicit Endable(const std::atomic<bool>* ended) noexcept;
    /// On the stack that the thread was created with, too, where `where` returns true for the instruction that it is
    /// at: one that holds no lock of the process, as the code of malloc does. Called in a signal handler.
    Endable(const std::atomic<bool>* ended, bool (*where)(const void* instruction)) noexcept;
    ~Endable();
    Endable(const Endable&) = delete;
    Endable& operator=(const Endable&) = delete;

  private:
    const std::atomic<bool>* before_;
    bool (*whereBefore_)(const void*);
  };

  /// Asks another thread, which exists, to end its guarded call as abandon() does, without a text: it does if it is
  /// Endable and in code that runs on a stack of the driver (OtherStack), or where Endable says. A request at another
  /// time does nothing.
  static void requestEnd(pthread_t thread) noexcept;
  /// Ends the innermost guarded call of this thread if it is Endable and its `*ended` is true: behind an Outside, in
  /// which requests are lost.
  static void endIfWanted();

  /// True on a thread inside run() and outside every Outside.
  static bool active() noexcept;

  /// While one exists, faults of this thread are not handled by the guard, and a request to cancel the thread waits:
  /// for calls from guarded code into the driver, which may hold locks.
  class Outside {
  public:
    Outside() noexcept;
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

  private:
    void* suspended_;
    int cancellation_ = 0;
  };

  /// While one exists, this thread runs on a stack of the driver. Made and destroyed on the stack that is left and come
  /// back to; a fault makes the thread come back without it. The calls are for AddressSanitizer, which has to know
  /// every switch: arrived() on the other stack when the thread has come there, leaving() there before it goes back.
  /// ThreadSanitizer has to know of the first one, from the stack that the thread was created with.
  class OtherStack {
  public:
    explicit OtherStack(const StackRange&) noexcept;
    ~OtherStack();
    OtherStack(const OtherStack&) = delete;
    OtherStack& operator=(const OtherStack&) = delete;

    /// `frames`: what leaving() has stored, or null on a stack that has just begun.
    void arrived(void* frames) noexcept;
    /// Stores what arrived() needs when the thread comes again; null: it does not.
    void leaving(void** frames) noexcept;

  private:
    friend class FaultGuard;
    /// After a fault: on the stack that was left.
    void abandoned() noexcept;

    StackRange before_;
#if defined(__has_feature) && __has_feature(address_sanitizer)
    StackRange range_;  ///< the range of the other stack
    void* frames_ = nullptr;
    const void* leftAt_ = nullptr;  ///< on the stack that was left
    bool there_ = false;            ///< the thread is on the other stack
    const void* fromLow_ = nullptr;
    std::size_t fromBytes_ = 0;
#elif defined(__has_feature) && __has_feature(thread_sanitizer)
    void* fiber_ = nullptr;  ///< that the thread was, if it was on its own stack
#endif
  };

private:
  static bool call(void (*function)(void*), void* argument, Fault& out);
};

}  // namespace clarity::support
