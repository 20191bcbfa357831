// SPDX-License-Identifier: Apache-2.0
// This file keeps a failed write from ending the process.
#pragma once

#include <signal.h>

namespace clarity::support {

/// While one exists, writes of this thread that fail do so without a signal: to a pipe whose other end is closed
/// (EPIPE, SIGPIPE), beyond the largest size that the process may give a file (EFBIG, SIGXFSZ).
class WithoutSignals {
public:
  WithoutSignals() noexcept;
  ~WithoutSignals();
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

  /// A write has failed with this errno: the signal that it has sent is taken back.
  void failed(int error) noexcept;

private:
  sigset_t before_;   ///< the thread's mask
  sigset_t pending_;  ///< signals that waited before
};

}  // namespace clarity::support
