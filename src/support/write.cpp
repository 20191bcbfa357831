// SPDX-License-Identifier: Apache-2.0
// This file calls the system directly.
#include "support/write.h"

#include "support/without_signals.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace clarity::support {

void writeAll(int file, std::string_view text) noexcept {
  const int errorBefore = errno;
  {
    WithoutSignals guard;
    while (!text.empty()) {
      const ssize_t written = ::write(file, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        guard.failed(errno);
        break;
      }
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  errno = errorBefore;
}

void writeToStandardError(std::string_view text) noexcept { writeAll(STDERR_FILENO, text); }

}  // namespace clarity::support
