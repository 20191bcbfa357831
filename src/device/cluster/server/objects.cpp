// SPDX-License-Identifier: Apache-2.0
// This file makes and finds the objects of a node.
#include "device/cluster/server/objects.h"

#include "support/hash.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace clarity::device::cluster::server {
namespace {

/// The key of a compiled program in the node's disk cache.
support::Hash128 keyOf(const ProgramHash& hash) {
  return support::Hasher().add("program of a cluster").add(hash[0]).add(hash[1]).finish();
}

}  // namespace

Objects::Objects(std::vector<std::unique_ptr<Device>> devices)
    : devices_(std::move(devices)), roots_(devices_.size()) {}

Device* Objects::device(std::uint32_t number) const {
  if (number < devices_.size()) return devices_[number].get();
  const auto found = parts_.find(number);
  return found == parts_.end() ? nullptr : found->second.get();
}

void Objects::allocate(std::uint32_t number, std::uint32_t device, std::uint64_t bytes) {
  Device* const on = this->device(device);
  if (!on) return;
  Memory& memory = allocations_[number] = {nullptr, on, bytes};
  // Commands that use it say that there is none.
  (void)guarded([&] {
    if (on->start()) memory.allocation = on->memory().allocate(bytes);
  });
}

std::shared_ptr<Allocation> Objects::keep(std::uint32_t number) const {
  const auto found = allocations_.find(number);
  return found == allocations_.end() ? nullptr : found->second.allocation;
}

Device* Objects::deviceOf(std::uint32_t allocation) const {
  const auto found = allocations_.find(allocation);
  return found == allocations_.end() ? nullptr : found->second.device;
}

Allocation* Objects::allocation(std::uint32_t number) {
  const auto found = allocations_.find(number);
  if (found == allocations_.end()) {
    objection_ = {CL_INVALID_MEM_OBJECT, fmt::format("the node has no allocation {}", number)};
    return nullptr;
  }
  if (!found->second.allocation)
    objection_ = {CL_MEM_OBJECT_ALLOCATION_FAILURE,
                  fmt::format("the node has no memory left for {} bytes", found->second.bytes)};
  return found->second.allocation.get();
}

void Objects::makeStream(std::uint32_t number, std::uint32_t device, const StreamOptions& options) {
  Device* const on = this->device(device);
  if (!on) return;
  streams_[number] = std::make_shared<LocalStream>(on->createStream(options), on->memory().hostAccessible());
}

void Objects::endStream(std::uint32_t number) { streams_.erase(number); }

std::shared_ptr<LocalStream> Objects::stream(std::uint32_t number) const {
  const auto found = streams_.find(number);
  return found == streams_.end() ? nullptr : found->second;
}

std::shared_ptr<LocalStream> Objects::ownStream(Device* device) {
  auto& stream = ownStreams_[device];
  if (!stream)
    stream =
        std::make_shared<LocalStream>(device->createStream({.outOfOrder = true}), device->memory().hostAccessible());
  return stream;
}

std::shared_ptr<const compiler::CompiledProgram> Objects::known(const ProgramHash& hash, Device& device) {
  std::erase_if(compiled_, [](const auto& each) { return each.second.expired(); });
  if (const auto found = compiled_.find(hash); found != compiled_.end())
    if (auto compiled = found->second.lock()) return compiled;
  const auto kept = compiler::recall(keyOf(hash));
  if (!kept) return nullptr;
  std::string why;
  auto compiled = compiler::deserialise(std::as_bytes(std::span(*kept)), device.target(), why);
  if (compiled && compiled->hash != hash) compiled = nullptr;
  if (compiled) compiled_[hash] = compiled;
  return compiled;
}

void Objects::make(Program& program) {
  program.failure = guarded([&]() -> Result {
    if (Result result = program.device->start(); !result) return result;
    program.executable = program.device->load(program.compiled);
    program.executable->setSource(program.source);
    for (const std::uint32_t kernel : program.toBePrepared)
      if (kernel < program.compiled->kernels.size())
        program.executable->prepareKernel(program.compiled->kernels[kernel]);
    return {};
  });
}

bool Objects::load(std::uint32_t number, std::uint32_t device, const ProgramHash& hash) {
  Program& program = programs_[number];
  program.hash = hash;
  program.device = this->device(device);
  if (!program.device) {
    program.failure = {CL_INVALID_DEVICE, fmt::format("the node has no device {}", device)};
    return true;
  }
  program.compiled = known(hash, *program.device);
  if (!program.compiled) return !asked_.insert(hash).second;
  make(program);
  return true;
}

bool Objects::isWanted(const ProgramHash& hash) {
  const bool isWanted = std::ranges::any_of(
      programs_, [&](const auto& each) { return each.second.hash == hash && !each.second.isThere(); });
  if (!isWanted) asked_.erase(hash);
  return isWanted;
}

std::vector<Program*> Objects::arrived(const ProgramHash& hash, std::string_view bytes) {
  std::vector<Program*> wanted;
  asked_.erase(hash);
  for (auto& [number, program] : programs_)
    if (program.hash == hash && !program.isThere()) wanted.push_back(&program);
  for (Program* const program : wanted) {
    program->compiled = known(hash, *program->device);
    if (!program->compiled) {
      std::string why;
      program->compiled = compiler::deserialise(std::as_bytes(std::span(bytes)), program->device->target(), why);
      if (!program->compiled) {
        program->failure = {CL_INVALID_PROGRAM_EXECUTABLE, "the node cannot use the program: " + why};
        continue;
      }
      compiled_[hash] = program->compiled;
      compiler::remember(keyOf(hash), bytes);
    }
    make(*program);
  }
  return wanted;
}

Program* Objects::program(std::uint32_t number) {
  const auto found = programs_.find(number);
  return found == programs_.end() ? nullptr : &found->second;
}

cluster::LaunchObjects::Kernel Objects::kernel(std::uint32_t executable, std::uint32_t kernel) {
  Program* const it = last_ = program(executable);
  if (!it || !it->executable || kernel >= it->compiled->kernels.size()) {
    objection_ = {CL_INVALID_PROGRAM_EXECUTABLE, fmt::format("the node has no kernel {} of its program", kernel)};
    if (it && !it->failure) objection_ = it->failure;
    return {};
  }
  return {it->executable.get(), &it->compiled->kernels[kernel]};
}

const std::atomic<bool>* Objects::endFlag(std::uint32_t number) {
  auto& flag = flags_[number];
  if (!flag) flag = std::make_shared<std::atomic<bool>>(false);
  return flag.get();
}

std::function<void()> Objects::endLaunches(std::uint32_t number) {
  (void)endFlag(number);
  std::vector<Device*> devices;
  for (const auto& device : devices_)
    if (device->properties().endsLaunches) devices.push_back(device.get());
  return [flag = flags_[number], devices = std::move(devices)] {
    flag->store(true);
    for (Device* const device : devices) device->endLaunches(*flag);
  };
}

void Objects::prepareAhead(const Operation& operation) {
  const auto* const launch = std::get_if<Launch>(&operation);
  if (!launch) return;
  Program& program = *last_;
  const auto kernel = static_cast<std::size_t>(launch->info - program.compiled->kernels.data());
  program.isPrepared.resize(program.compiled->kernels.size());
  if (!program.isPrepared[kernel]) program.executable->prepareAhead(*launch, Runs::Once);
  program.isPrepared[kernel] = true;
}

std::shared_ptr<DeviceQueue> Objects::queue(std::uint64_t name, std::uint64_t bytes) {
  auto& queue = queues_[name];
  if (!queue || (bytes != 0 && queue->bytes != bytes)) queue = std::make_shared<DeviceQueue>(bytes);
  return queue;
}

const Properties& Objects::propertiesOf(std::uint32_t executable) { return program(executable)->device->properties(); }

}  // namespace clarity::device::cluster::server
