// SPDX-License-Identifier: Apache-2.0
// This file is the context: the devices that work together and the way to tell the application what went wrong.
#pragma once

#include "core/callbacks.h"
#include "core/device.h"
#include "core/device_addresses.h"
#include "core/object.h"
#include "core/on_device_queues.h"
#include "core/ref.h"
#include "core/residency.h"
#include "core/shared_memory.h"
#include "device/memory.h"

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::core {

/// OpenCL 3.0, section 4.4. Everything created in a context holds a Ref to it.
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
  /// The places of buffers' content: the memory pools of the devices. Place 0 is memory that the host accesses: the
  /// first such pool or, if there is none, plain memory of the process (core/host_pool.h).
  std::span<device::MemoryPool* const> places() const { return places_; }
  /// device::MemoryPool::peers() of each place.
  std::vector<Residency::Peers> peers() const;
  /// The place of a device's memory.
  Residency::Place placeOf(const Device&) const;
  /// A device whose memory this place is. Not of place 0 where that is plain memory.
  const Device& deviceAt(Residency::Place place) const;
  /// Whether the device of a place cannot be used any more, and what was there alone is lost.
  bool isGone(Residency::Place place) const;
  /// Whether all devices have one memory, which the host accesses too: the usual case, in which content never moves.
  bool sharesOneMemory() const { return places_.size() == 1; }

  /// The memory that has one address for the host and the devices.
  SharedMemory& sharedMemory() { return sharedMemory_; }
  /// The buffers whose addresses kernels may be given (cl_ext_buffer_device_address), if there are several places.
  DeviceAddresses& deviceAddresses() { return deviceAddresses_; }
  /// The command-queues that kernels enqueue to.
  OnDeviceQueues& onDeviceQueues() { return onDeviceQueues_; }
  /// Whether some device of the context has an extension.
  bool someSupport(std::string_view extension) const;
  /// The capabilities that some device of the context has (CL_DEVICE_SVM_CAPABILITIES); 0 if none has any.
  cl_device_svm_capabilities svmCapabilities() const;

  /// Has everything that was submitted to the devices executed without any thread waiting for it.
  void flush() const;

  const std::vector<cl_context_properties>& properties() const { return properties_; }
  /// The value of one of the properties; 0 if it is not among them.
  cl_context_properties property(cl_context_properties name) const;

  /// Whether clTerminateContextKHR may end it (CL_CONTEXT_TERMINATE_KHR).
  bool isTerminable() const { return terminable_; }
  bool isTerminated() const { return terminated_.load(std::memory_order_relaxed); }
  /// The flag that isTerminated() reads, for launches.
  const std::atomic<bool>& termination() const { return terminated_; }
  /// isTerminated() from now on; false if it was so already.
  bool terminate() { return !terminated_.exchange(true); }

  /// Gives a sentence to the application's pfn_notify or, if there is none, shows it (messages.h). Any thread; hold no
  /// lock.
  void notify(const std::string& text) const noexcept;
  /// Whether the application gave a pfn_notify.
  bool hasCallback() const { return notify_ != nullptr; }

  CallbackStack<cl_context>& destructorCallbacks() { return destructorCallbacks_; }

private:
  std::vector<Ref<Device>> devices_;
  std::vector<device::MemoryPool*> places_;
  std::vector<const Device*> deviceAt_;  ///< by place
  std::vector<cl_context_properties> properties_;
  Notify notify_;
  void* userData_;
  bool terminable_;
  std::atomic<bool> terminated_{false};
  CallbackStack<cl_context> destructorCallbacks_;
  SharedMemory sharedMemory_;
  DeviceAddresses deviceAddresses_;
  OnDeviceQueues onDeviceQueues_;
};

}  // namespace clarity::core
