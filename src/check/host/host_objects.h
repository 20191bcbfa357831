// SPDX-License-Identifier: Apache-2.0
// This file remembers the objects of the application: those that there are, and those that it has released.
#pragma once

#include "check/host/host_call.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace clarity::check {

struct HostObject {
  ValueKind kind = ValueKind::Memory;  ///< Pointer: shared memory
  std::uint64_t handle = 0;
  std::uint64_t number = 0;  ///< the number in its class, from 1
  std::string name;          ///< "buffer 2", "kernel 1 'saxpy'"
  CallSite created, released;
  std::string words;            ///< the call that created it
  std::int64_t references = 1;  ///< the application's
  std::uint64_t bytes = 0, flags = 0, hostPointer = 0, parent = 0;

  bool isDead() const { return references <= 0; }
};

/// Objects by handle. A handle of an object that was released is known until the driver uses it again.
class HostObjects {
public:
  /// Null for what is no handle of the application's objects.
  HostObject* find(std::uint64_t handle);
  const HostObject* find(std::uint64_t handle) const { return const_cast<HostObjects*>(this)->find(handle); }
  /// Shared memory that is not freed and that an address is in; null if there is none.
  HostObject* sharedAt(std::uint64_t address);
  const HostObject* sharedAt(std::uint64_t address) const { return const_cast<HostObjects*>(this)->sharedAt(address); }
  HostObject& add(ValueKind kind, std::uint64_t handle, const HostCall& call);
  const std::unordered_map<std::uint64_t, HostObject>& all() const { return objects_; }
  /// "buffer 2"; of other handles their class and value.
  std::string nameOf(ValueKind kind, std::uint64_t handle) const;
  /// The call with its arguments in words.
  std::string inWords(const HostCall& call) const;

private:
  std::unordered_map<std::uint64_t, HostObject> objects_;
  std::set<std::uint64_t> shared_;  ///< handles of shared memory
  std::map<std::string, std::uint64_t> numbers_;
};

}  // namespace clarity::check
