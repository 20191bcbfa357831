// SPDX-License-Identifier: Apache-2.0
// This file is the destination of a joined device's operations: a stream of each part.
#pragma once

#include "device/joined/joined_operation.h"

namespace clarity::device::joined {

class JoinedStream final : public Stream {
public:
  JoinedStream(Parts& parts, const StreamOptions& options);

  Result made() const override;
  void submit(Submission&, Start, std::span<Submission* const> after) override;
  void flush() override;
  void help(const Submission& awaited) override;

private:
  Parts& parts_;
  const void* order_;  ///< the in-order command-queue, or null; see JoinedOperation::begin()
  PartStreams streams_;
};

}  // namespace clarity::device::joined
