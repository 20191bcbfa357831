// SPDX-License-Identifier: Apache-2.0
// This file is the stub's streams and events.
#include "stub.h"
#include "support/own_thread.h"

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

void serve(CuStreamTag& stream) {
  Stub& stub = Stub::get();
  std::unique_lock lock(stream.mutex);
  for (;;) {
    stream.changed.wait(lock, [&] { return !stream.work.empty() || stream.ending; });
    if (stream.work.empty()) return;
    const std::function<void()> work = std::move(stream.work.front());
    stream.work.pop_front();
    stream.running = true;
    lock.unlock();
    unsigned delay = 0;
    {
      const std::lock_guard whole(stub.mutex);
      stub.mostRunning = std::max(stub.mostRunning, ++stub.running);
      delay = stub.delay;
    }
    if (delay) std::this_thread::sleep_for(std::chrono::microseconds(delay));
    work();
    {
      const std::lock_guard whole(stub.mutex);
      --stub.running;
      ++stub.operations;
    }
    lock.lock();
    stream.running = false;
    stream.changed.notify_all();
  }
}

/// False if the system has no thread.
bool start(CuStreamTag& stream) {
  try {
    const support::OwnThreadSignals signals;
    stream.thread = std::thread([&stream] { serve(stream); });
  } catch (const std::system_error&) {
    return false;
  }
  return stream.started = true;
}

CuStreamTag& streamOf(CuStream stream) { return stream ? *stream : Stub::get().standard; }

}  // namespace

void Stub::add(CuStream named, std::function<void()> work) {
  CuStreamTag& stream = streamOf(named);
  const std::lock_guard lock(stream.mutex);
  if (!named && !stream.started && start(stream)) stream.thread.detach();
  stream.work.push_back(std::move(work));
  stream.changed.notify_all();
}

void Stub::wait(CuStream named) {
  CuStreamTag& stream = streamOf(named);
  std::unique_lock lock(stream.mutex);
  stream.changed.wait(lock, [&] { return stream.work.empty() && !stream.running; });
}

void Stub::fault(CuResult code) {
  const std::lock_guard lock(mutex);
  if (failure == 0) failure = code;
}

CuResult streamCreate(CuStream* stream, unsigned) {
  if (const CuResult failure = Stub::get().enter("cuStreamCreate")) return failure;
  auto made = std::make_unique<CuStreamTag>();
  if (!start(*made)) return cuOutOfMemory;
  *stream = made.release();
  return 0;
}

CuResult streamDestroy(CuStream stream) {
  if (!stream) return invalidHandle;
  {
    const std::lock_guard lock(stream->mutex);
    stream->ending = true;
    stream->changed.notify_all();
  }
  // The real one lets the work of the stream end, and returns at once.
  if (stream->thread.joinable()) stream->thread.join();
  delete stream;
  return 0;
}

CuResult streamQuery(CuStream named) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuStreamQuery")) return failure;
  CuStreamTag& stream = streamOf(named);
  {
    const std::lock_guard lock(stream.mutex);
    if (!stream.work.empty() || stream.running) return cuNotReady;
  }
  const std::lock_guard lock(stub.mutex);
  return stub.failure;  // the last of its work may have failed since the call was entered
}

CuResult streamSynchronize(CuStream stream) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuStreamSynchronize")) return failure;
  stub.wait(stream);
  const std::lock_guard lock(stub.mutex);
  return stub.failure;
}

CuResult streamWriteValue(CuStream stream, CuPointer to, std::uint32_t value, unsigned) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuStreamWriteValue32_v2")) return failure;
  auto* const memory = reinterpret_cast<std::uint32_t*>(to);
  if (!stub.isPinned(memory, sizeof value)) return cuInvalidValue;
  stub.add(stream, [&stub, memory, value] {
    const std::lock_guard lock(stub.mutex);
    if (stub.failure == 0) __atomic_store_n(memory, value, __ATOMIC_RELEASE);
  });
  return 0;
}

CuResult streamWaitEvent(CuStream stream, CuEvent event, unsigned) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuStreamWaitEvent")) return failure;
  std::shared_ptr<Recorded> record;
  {
    const std::lock_guard lock(stub.mutex);
    record = event->last;
  }
  if (!record) return 0;
  stub.add(stream, [&stub, record] {
    std::unique_lock lock(stub.mutex);
    stub.changed.wait(lock, [&] { return record->done; });
  });
  return 0;
}

CuResult eventCreate(CuEvent* event, unsigned flags) {
  if (const CuResult failure = Stub::get().enter("cuEventCreate")) return failure;
  *event = new CuEventTag{(flags & cuEventDisableTiming) == 0, nullptr};
  return 0;
}

CuResult eventDestroy(CuEvent event) {
  delete event;
  return 0;
}

CuResult eventRecord(CuEvent event, CuStream stream) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuEventRecord")) return failure;
  const auto record = std::make_shared<Recorded>();
  {
    const std::lock_guard lock(stub.mutex);
    event->last = record;
    stub.timedRecords += event->timed;
  }
  stub.add(stream, [&stub, record] {
    {
      const std::lock_guard lock(stub.mutex);
      record->done = true;
      record->at = Clock::now();
    }
    stub.changed.notify_all();
  });
  return 0;
}

CuResult eventQuery(CuEvent event) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuEventQuery")) return failure;
  const std::lock_guard lock(stub.mutex);
  return !event->last || event->last->done ? stub.failure : cuNotReady;
}

CuResult eventSynchronize(CuEvent event) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuEventSynchronize")) return failure;
  std::unique_lock lock(stub.mutex);
  const std::shared_ptr<Recorded> record = event->last;
  stub.changed.wait(lock, [&] { return !record || record->done; });
  return stub.failure;
}

CuResult eventElapsedTime(float* milliseconds, CuEvent start, CuEvent end) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuEventElapsedTime")) return failure;
  const std::lock_guard lock(stub.mutex);
  if (!start->timed || !end->timed || !start->last || !end->last) return invalidHandle;
  if (!start->last->done || !end->last->done) return cuNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(end->last->at - start->last->at).count();
  return 0;
}

}  // namespace clarity::device::cuda
