// SPDX-License-Identifier: Apache-2.0
// This file is the context: the devices that work together and the way to tell the application what went wrong.
#pragma once

#include "core/callbacks.h"
#include "core/device.h"
#include "core/object.h"
#include "core/ref.h"

#include <CL/cl.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clarity::core {

/// OpenCL 3.0, section 4.4. Everything made in a context holds a Ref to it.
class Context final : public ApiObject<Context, _cl_context> {
public:
  using Notify = void(CL_CALLBACK*)(const char* text, const void* privateInfo, std::size_t bytes, void* userData);

  /// `properties` as the application gave them with the terminating 0, or empty if it gave none.
  Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, Notify notify,
          void* userData);
  /// Calls the destructor callbacks (clSetContextDestructorCallback).
  ~Context() override;

  std::span<const Ref<Device>> devices() const { return devices_; }
  bool has(const Device& device) const noexcept;
  /// Whether all devices have one memory, which the host accesses too. Then content is never moved.
  bool sharesOneMemory() const { return pools_.size() == 1 && pools_.front()->hostAccessible(); }
  /// The number of a device's memory among the places of this context, from 1. Place 0 is the host: the first pool that
  /// the host can access if there is one (then that pool has number 0), else plain memory of the process.
  Residency::Place placeOf(const Device&) const;

  const std::vector<cl_context_properties>& properties() const { return properties_; }

  /// Gives a sentence to the application's pfn_notify, if there is one. Any thread; hold no lock.
  void notify(const std::string& text) const noexcept;

  CallbackStack<cl_context>& destructorCallbacks() { return destructorCallbacks_; }

private:
  std::vector<Ref<Device>> devices_;
  std::vector<cl_context_properties> properties_;
  Notify notify_;
  void* userData_;
  CallbackStack<cl_context> destructorCallbacks_;
};

}  // namespace clarity::core
