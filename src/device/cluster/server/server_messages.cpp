// SPDX-License-Identifier: Apache-2.0
// This file takes what the host says to a node.
#include "device/cluster/device_message.h"
#include "device/cluster/process_look.h"
#include "device/cluster/server/operation_reader.h"
#include "device/cluster/server/server.h"
#include "support/clock.h"

#include <CL/cl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace clarity::device::cluster::server {

using cluster::SubmitHead;
using cluster::ToHost;
using cluster::ToNode;

void Server::received(unsigned from, std::span<const std::byte> frame) noexcept {
  if (from != 0) return;
  heard_.store(support::hostTime(), std::memory_order_relaxed);
  Reader reader(frame);
  const Result result = guarded([&]() -> Result {
    while (!reader.atEnd())
      if (!handle(reader) || !reader.ok()) return {CL_INVALID_VALUE, "the program sent what is no message"};
    return {};
  });
  // Nothing that was said afterwards could be relied on.
  if (!result) stop(result.text.empty() ? "it has no memory left" : result.text);
}

bool Server::handle(Reader& from) {
  const auto kind = from.get<ToNode>();
  switch (kind) {
    case ToNode::Submit: return submit(from);
    case ToNode::Send: return sendToNode(from);
    case ToNode::Partition: return answerPartition(from), true;
    case ToNode::LargestGroup: return answerLargestGroup(from), true;
    case ToNode::Program: {
      const auto hash = from.get<ProgramHash>();
      return program(hash, from.text()), true;
    }
    case ToNode::Source: return source(from), true;
    case ToNode::Ping: {
      const auto asked = from.get<std::uint64_t>();
      say([&](Writer& to) { to.put(ToHost::Pong).put(asked).put(support::hostTime()); }, true);
      return true;
    }
    case ToNode::Lost: return transport_->giveUp(from.get<std::uint32_t>(), "the program has lost it"), true;
    case ToNode::Leave: return ends_.store(true, std::memory_order_release), true;
    case ToNode::Host: {
      const auto process = from.get<std::uint64_t>();
      const bool isHere = from.get<std::uint64_t>() == cluster::processSpaceOfThisProcess();
      // A thread of this process, in tests, needs not be looked for.
      if (isHere && process != static_cast<std::uint64_t>(::getpid())) hostProcess_.store(process);
      return true;
    }
    default: return handleObject(kind, from);
  }
}

bool Server::handleObject(ToNode kind, Reader& from) {
  const auto number = [&] { return from.get<std::uint32_t>(); };
  switch (kind) {
    case ToNode::Allocate: {
      const std::uint32_t allocation = number(), device = number();
      return objects_.allocate(allocation, device, from.get<std::uint64_t>()), true;
    }
    case ToNode::Free: return objects_.free(number()), true;
    case ToNode::Load: {
      const std::uint32_t program = number(), device = number();
      const auto hash = from.get<ProgramHash>();
      if (!objects_.load(program, device, hash)) say([&](Writer& to) { to.put(ToHost::Need).put(hash); }, true);
      return true;
    }
    case ToNode::Unload: return objects_.unload(number()), true;
    case ToNode::PrepareKernel: {
      Program* const program = objects_.program(number());
      const std::uint32_t kernel = number();
      if (program && !program->executable) program->toBePrepared.push_back(kernel);
      if (program && program->executable && kernel < program->compiled->kernels.size())
        program->executable->prepareKernel(program->compiled->kernels[kernel]);
      return true;
    }
    case ToNode::MakeStream: {
      const std::uint32_t stream = number(), device = number();
      const bool outOfOrder = from.get<bool>();
      objects_.makeStream(stream, device, {.outOfOrder = outOfOrder, .profiled = from.get<bool>()});
      return true;
    }
    case ToNode::EndStream: return objects_.endStream(number()), true;
    case ToNode::EndDevice: return objects_.endDevice(number()), true;
    case ToNode::EndLaunches: return aside(objects_.endLaunches(number())), true;
    default: return false;
  }
}

void Server::source(Reader& from) {
  Program* const program = objects_.program(from.get<std::uint32_t>());
  for (auto left = from.get<std::uint32_t>(); left != 0 && from.ok(); --left) {
    std::string name(from.text());
    auto text = std::make_shared<const std::string>(from.text());
    if (program) program->source.add(std::move(name), std::move(text));
  }
  if (program && program->executable) program->executable->setSource(program->source);
}

void Server::program(const ProgramHash& hash, std::string_view bytes) {
  if (bytes.empty()) {
    // The host had released it; if it is wanted again it is there again.
    if (objects_.isWanted(hash)) say([&](Writer& to) { to.put(ToHost::Need).put(hash); }, true);
    return;
  }
  for (Program* const each : objects_.arrived(hash, bytes))
    for (Task* const task : std::exchange(each->waiting, {})) {
      const Bytes unread = std::exchange(task->unread, {});
      Reader from(unread);
      readOperation(from, objects_, *task);
      bool isReady = false;
      {
        const std::lock_guard lock(mutex_);
        isReady = --task->waits == 0;
      }
      if (isReady) run(*task);
    }
}

bool Server::submit(Reader& from) {
  const auto head = from.get<SubmitHead>();
  std::vector<std::uint64_t> after(head.after);
  for (std::uint64_t& id : after) from.get(id);
  const auto operation = from.bytes(head.bytes);
  if (!from.ok()) return false;
  auto task = std::make_unique<Task>(*this, head.id);
  task->stream = objects_.stream(head.stream);
  task->isTimed = (head.flags & cluster::isTimed) != 0;
  Reader reader(operation);
  if (Program* const missing = missingProgram(reader, objects_)) {
    task->unread.assign(operation.begin(), operation.end());
    task->waits = 1;
    missing->waiting.push_back(task.get());
  } else {
    Reader whole(operation);
    readOperation(whole, objects_, *task);
    // Kernels that are launched one after the other are compiled at the same time.
    if (!after.empty() && task->failure && task->work == cluster::Work::Launch)
      (void)guarded([&] { objects_.prepareAhead(task->local); });
  }
  add(std::move(task), after);
  return true;
}

void Server::add(std::unique_ptr<Task> task, std::span<const std::uint64_t> after) {
  Task& it = *task;
  bool isReady = false;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t place = it.id & 0xFFFF'FFFF;
    for (const std::uint64_t id : after) {
      const std::uint64_t at = id & 0xFFFF'FFFF;
      if (at >= tasks_.size() || !tasks_[at] || tasks_[at]->id != id) continue;  // it has ended
      tasks_[at]->dependents.push_back(&it);
      ++it.waits;
    }
    if (place >= tasks_.size()) tasks_.resize(place + 1);
    tasks_[place] = std::move(task);
    isReady = it.waits == 0;
  }
  if (isReady) run(it);
}

bool Server::sendToNode(Reader& from) {
  const auto allocation = from.get<std::uint32_t>();
  const auto offset = from.get<std::uint64_t>(), bytes = from.get<std::uint64_t>();
  const auto rank = from.get<std::uint32_t>();
  const auto tag = from.get<std::uint64_t>();
  if (!from.ok()) return false;
  auto task = std::make_unique<Task>(*this, 0);
  task->work = cluster::Work::Read;
  task->kept = objects_.keep(allocation);
  // The other node waits for pieces, and gets empty ones.
  if (!task->kept || offset > task->kept->bytes() || bytes > task->kept->bytes() - offset)
    task->failure = {CL_INVALID_MEM_OBJECT, "the node has no such memory"};
  else
    task->stream = objects_.ownStream(objects_.deviceOf(allocation));
  task->place = {.allocation = task->kept.get(), .offset = offset};
  task->bytes = bytes;
  task->rank = rank;
  task->tag = tag;
  Task& it = *task;
  {
    const std::lock_guard lock(mutex_);
    nameless_.push_back(std::move(task));
  }
  run(it);
  return true;
}

void Server::answer(std::uint64_t question, std::string_view text) {
  say([&](Writer& to) { to.put(ToHost::Answer).put(question).text(text); }, true);
}

void Server::answerPartition(Reader& from) {
  const auto question = from.get<std::uint64_t>();
  Device* const device = objects_.device(from.get<std::uint32_t>());
  Partition how;
  how.byNuma = from.get<bool>();
  for (auto left = from.get<std::uint32_t>(); left != 0 && from.ok(); --left)
    how.units.push_back(from.get<std::uint32_t>());
  auto number = from.get<std::uint32_t>();
  std::vector<std::unique_ptr<Device>> parts;
  if (device && from.ok()) parts = device->partition(how);
  Writer facts;
  facts.put(static_cast<std::uint32_t>(parts.size()));
  for (auto& part : parts) {
    cluster::writeFacts(facts, {part->properties(), part->target()});
    objects_.addDevice(number++, std::move(part));
  }
  const Bytes bytes = facts.take();
  answer(question, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Server::answerLargestGroup(Reader& from) {
  const auto question = from.get<std::uint64_t>();
  const Program* const program = objects_.program(from.get<std::uint32_t>());
  const auto kernel = from.get<std::uint32_t>();
  // It may take as long as a compile does.
  aside([this, question, kernel, executable = program ? program->executable : nullptr,
         compiled = program ? program->compiled : nullptr] {
    std::uint64_t group = 0;
    if (executable && kernel < compiled->kernels.size()) group = executable->largestGroup(compiled->kernels[kernel]);
    answer(question, {reinterpret_cast<const char*>(&group), sizeof group});
  });
}

}  // namespace clarity::device::cluster::server
