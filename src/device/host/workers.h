// SPDX-License-Identifier: Apache-2.0
// This file is threads that share work: the one that has work to be done, and the process's worker threads.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace clarity::device::host {

/// As many threads as a device has compute units, the calling one among them. Thread-safe; several threads may run
/// work at the same time and then share the others.
class Workers {
public:
  explicit Workers(std::uint32_t units);

  std::uint32_t units() const { return units_; }

  /// Whether work of so many nanoseconds is to be divided, as far as the first use of other threads matters: they have
  /// to be started. Until work that was not divided has taken as long in all, only work that takes longer is.
  bool isWorthStart(double nanoseconds) const;
  /// Work of so many nanoseconds was not divided.
  void wasNotDivided(double nanoseconds);

  /// Calls body(), which executes shares of some work until there is none left, on this thread and on others as soon as
  /// they are free; returns when all calls have. At most units() at a time. The body must not throw.
  template <class Body>
  void run(Body&& body) {
    using Function = std::remove_reference_t<Body>;
    call([](void* function) noexcept { (*static_cast<Function*>(function))(); },
         const_cast<void*>(static_cast<const void*>(std::addressof(body))));
  }

private:
  void call(void (*body)(void*), void* argument);

  std::uint32_t units_;
};

}  // namespace clarity::device::host
