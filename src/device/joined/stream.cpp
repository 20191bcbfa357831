// SPDX-License-Identifier: Apache-2.0
// This file hands operations to the streams of the parts.
#include "device/joined/stream.h"

#include <utility>
#include <variant>

namespace clarity::device::joined {

/// Operations of parts are out of order, as those of an in-order command-queue come one after the other anyway, and
/// profiled: the times of launches are what shares follow.
JoinedStream::JoinedStream(Parts& parts, const StreamOptions& options)
    : parts_(parts), order_(options.outOfOrder ? nullptr : this) {
  for (const auto& device : parts_.devices)
    streams_.push_back(device->createStream({.outOfOrder = true, .profiled = true}));
}

Result JoinedStream::made() const {
  for (const auto& each : streams_)
    if (Result result = each->made(); !result) return result;
  return {};
}

void JoinedStream::submit(Submission& submission, Start start, std::span<Submission* const> after) {
  const Operation& operation = *submission.operation;
  // Any part may do what is not divided where all share their memory.
  if (parts_.shareMemory && !std::holds_alternative<Launch>(operation) && !std::holds_alternative<Sequence>(operation))
    return streams_[0]->submit(submission, start, {});
  // There is not enough memory where it throws; then nothing has begun.
  Result result = guarded([&] { JoinedOperation::begin(parts_, streams_, submission, start, after, order_); });
  if (!result) submission.complete(std::move(result), {});
}

void JoinedStream::flush() {
  for (const auto& each : streams_) each->flush();
}

/// While the thread waits for one part, the others are to go on.
void JoinedStream::help(const Submission& awaited) {
  if (!parts_.shareMemory) flush();
  for (const auto& each : streams_)
    if (!awaited.ended()) each->help(awaited);
}

}  // namespace clarity::device::joined
