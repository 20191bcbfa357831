// SPDX-License-Identifier: Apache-2.0
// This file is the context's life and its way to the application's ear.
#include "core/context.h"

#include <algorithm>

namespace clarity::core {

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, Notify notify,
                 void* userData)
    : devices_(std::move(devices)), properties_(std::move(properties)), notify_(notify), userData_(userData) {}

Context::~Context() {
  // Section 4.4: pfn_notify is not called after any destructor callback.
  notify_ = nullptr;
  destructorCallbacks_.runAll(handle());
}

bool Context::has(const Device& device) const noexcept {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& each) { return &each.get() == &device; });
}

void Context::notify(const std::string& text) const noexcept {
  if (notify_) notify_(text.c_str(), nullptr, 0, userData_);
}

}  // namespace clarity::core
