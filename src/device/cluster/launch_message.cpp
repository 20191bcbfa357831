// SPDX-License-Identifier: Apache-2.0
// This file writes and reads launches.
#include "device/cluster/launch_message.h"

#include "device/cluster/remote_memory.h"
#include "device/device_queue.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace clarity::device::cluster {
namespace {

using compiler::ArgKind;
using compiler::KernelInfo;

enum LaunchFlags : std::uint8_t { hasOtherPointers = 1, hasQueues = 2, isDivided = 4 };
enum BufferFlags : std::uint8_t { readOnly = 1, writeOnly = 2, isInside = 4 };

struct BufferRecord {
  std::uint64_t offset, bytes;
  std::uint32_t argument, allocation;
  std::uint8_t flags;
};

void writeQueue(Writer& to, const DeviceQueue* queue) {
  to.put(LaunchQueues::nameOf(queue)).put<std::uint64_t>(queue ? queue->bytes : 0);
}

void writeQueues(Writer& to, const LaunchQueues& queues) {
  writeQueue(to, queues.standard.get());
  to.put(static_cast<std::uint32_t>(queues.arguments.size()));
  for (const auto& queue : queues.arguments) writeQueue(to, queue.get());
}

std::shared_ptr<DeviceQueue> readQueue(Reader& from, LaunchObjects& objects) {
  const auto name = from.get<std::uint64_t>(), bytes = from.get<std::uint64_t>();
  return name == 0 ? nullptr : objects.queue(name, bytes);
}

/// The node's queues; arguments get their names here.
void readQueues(Reader& from, LaunchObjects& objects, std::uint32_t executable, Launch& launch) {
  auto queues = std::make_shared<LaunchQueues>();
  queues->device = &objects.propertiesOf(executable);
  queues->standard = readQueue(from, objects);
  for (auto left = from.get<std::uint32_t>(); left != 0 && from.ok(); --left)
    queues->arguments.push_back(readQueue(from, objects));
  for (const compiler::KernelArg& arg : launch.info->args) {
    if (arg.kind != ArgKind::Queue || arg.offset + sizeof(std::uint64_t) > launch.args.size()) continue;
    std::uint64_t name = 0;
    std::memcpy(&name, launch.args.data() + arg.offset, sizeof name);
    const auto own = name != 0 ? objects.queue(name, 0) : nullptr;
    name = LaunchQueues::nameOf(own.get());
    std::memcpy(launch.args.data() + arg.offset, &name, sizeof name);
  }
  launch.queues = std::move(queues);
}

std::size_t alignmentOf(const KernelInfo& info) {
  std::size_t alignment = alignof(std::uint64_t);
  for (const compiler::KernelArg& arg : info.args)
    if (arg.kind == ArgKind::Value) alignment = std::max<std::size_t>(alignment, arg.align);
  return std::bit_ceil(alignment);
}

bool readBuffers(Reader& from, LaunchObjects& objects, Launch& launch) {
  for (auto left = from.get<std::uint32_t>(); left != 0 && from.ok(); --left) {
    const auto record = from.get<BufferRecord>();
    Allocation* const allocation = objects.allocation(record.allocation);
    if (!allocation || record.argument >= launch.info->args.size()) return false;
    launch.buffers.push_back({.argument = record.argument,
                              .readOnly = (record.flags & readOnly) != 0,
                              .writeOnly = (record.flags & writeOnly) != 0,
                              .isInside = (record.flags & isInside) != 0,
                              .memory = {.allocation = allocation, .offset = record.offset},
                              .bytes = record.bytes});
  }
  return from.ok();
}

}  // namespace

void writeLaunch(Writer& to, const Launch& launch, const LaunchNames& names) {
  const auto flags =
      static_cast<std::uint8_t>((launch.hasOtherPointers ? hasOtherPointers : 0) | (launch.queues ? hasQueues : 0) |
                                (launch.whole.isDivided ? isDivided : 0));
  to.put(names).put(launch.range).put(launch.localBytes).put(flags);
  to.put(static_cast<std::uint32_t>(launch.args.size())).bytes({launch.args.data(), launch.args.size()});
  to.put(static_cast<std::uint32_t>(launch.buffers.size()));
  for (const BufferArgument& buffer : launch.buffers) {
    BufferRecord record{};
    record.offset = buffer.memory.offset;
    record.bytes = buffer.bytes;
    record.argument = buffer.argument;
    record.allocation = numberOf(buffer.memory.allocation);
    record.flags = static_cast<std::uint8_t>((buffer.readOnly ? readOnly : 0) | (buffer.writeOnly ? writeOnly : 0) |
                                             (buffer.isInside ? isInside : 0));
    to.put(record);
  }
  to.put(static_cast<std::uint32_t>(launch.locals.size()));
  for (const LocalArgument& local : launch.locals) to.put(local.argument).put(local.bytes);
  if (launch.queues) writeQueues(to, *launch.queues);
  if (launch.whole.isDivided) to.put(launch.whole);
}

bool readLaunch(Reader& from, LaunchObjects& objects, Launch& launch) {
  const auto names = from.get<LaunchNames>();
  const LaunchObjects::Kernel kernel = objects.kernel(names.executable, names.kernel);
  launch.executable = kernel.executable;
  launch.info = kernel.info;
  from.get(launch.range);
  from.get(launch.localBytes);
  const auto flags = from.get<std::uint8_t>();
  launch.hasOtherPointers = (flags & hasOtherPointers) != 0;
  if (!kernel.info) return false;
  const auto args = from.bytes(from.get<std::uint32_t>());
  launch.args = ArgBlock(args.size(), alignmentOf(*kernel.info));
  if (!args.empty()) std::memcpy(launch.args.data(), args.data(), args.size());
  if (!readBuffers(from, objects, launch)) return false;
  for (auto left = from.get<std::uint32_t>(); left != 0 && from.ok(); --left) {
    const auto argument = from.get<std::uint32_t>();
    launch.locals.emplace_back(argument, from.get<std::uint64_t>());
  }
  if (flags & hasQueues) readQueues(from, objects, names.executable, launch);
  if (flags & isDivided) from.get(launch.whole);
  if (names.endFlag != 0) launch.ended = objects.endFlag(names.endFlag);
  return from.ok() && args.size() == kernel.info->argBlockBytes;
}

}  // namespace clarity::device::cluster
