// SPDX-License-Identifier: Apache-2.0
// This file makes contexts and reports to their notify functions.
#include "core/context.h"

#include "core/error.h"
#include "core/host_pool.h"
#include "core/messages.h"
#include "support/counted.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <new>
#include <string>

namespace clarity::core {

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, Notify notify,
                 void* userData)
    : devices_(std::move(devices)), properties_(std::move(properties)), notify_(notify), userData_(userData) {
  for (const Ref<Device>& device : devices_)
    if (const device::Result started = device->backend().start(); !started)
      fail(started.code, "device '{}': {}", device->properties().name, started.text);
  terminable_ = property(CL_CONTEXT_TERMINATE_KHR) != 0;
  const auto add = [&](device::MemoryPool& pool, const Device* device) {
    if (std::ranges::find(places_, &pool) != places_.end()) return;
    places_.push_back(&pool);
    deviceAt_.push_back(device);
  };
  const auto hostAccessible = std::ranges::find_if(
      devices_, [](const Ref<Device>& device) { return device->backend().memory().hostAccessible(); });
  if (hostAccessible != devices_.end())
    add((*hostAccessible)->backend().memory(), &hostAccessible->get());
  else
    add(HostPool::get(), nullptr);
  for (const Ref<Device>& device : devices_) add(device->backend().memory(), &device.get());
  if (!notify_) prepareMessages();
}

Context::~Context() {
  // Section 4.4: pfn_notify is not called after any destructor callback.
  notify_ = nullptr;
  destructorCallbacks_.runAll(handle());
}

cl_context_properties Context::property(cl_context_properties name) const {
  for (std::size_t i = 0; i + 1 < properties_.size(); i += 2)
    if (properties_[i] == name) return properties_[i + 1];
  return 0;
}

bool Context::has(const Device& device) const noexcept {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& each) { return &each.get() == &device; });
}

Residency::Place Context::placeOf(const Device& device) const {
  const auto found = std::ranges::find(places_, &device.backend().memory());
  return static_cast<Residency::Place>(found - places_.begin());
}

std::vector<Residency::Peers> Context::peers() const {
  std::vector<Residency::Peers> peers;
  for (const device::MemoryPool* const pool : places_) peers.push_back({pool->peers(), pool->leastInTurn()});
  return peers;
}

bool Context::isGone(Residency::Place place) const {
  return place != Residency::host && !deviceAt(place).backend().start();
}

const Device& Context::deviceAt(Residency::Place place) const { return *deviceAt_[place]; }

cl_device_svm_capabilities Context::svmCapabilities() const {
  cl_device_svm_capabilities all = 0;
  for (const Ref<Device>& device : devices_) all |= device->properties().svmCapabilities;
  return all;
}

bool Context::someSupport(std::string_view extension) const {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& device) { return device->supports(extension); });
}

void Context::flush() const {
  for (const Ref<Device>& device : devices_) device->backend().flush();
}

void Context::notify(const std::string& text) const noexcept {
  try {
    const std::string sentence = support::withSingulars(text);
    if (notify_) return notify_(sentence.c_str(), nullptr, 0, userData_);
    showMessage(sentence);
  } catch (const std::bad_alloc&) {
    // No memory for the sentence.
  }
}

}  // namespace clarity::core
