// SPDX-License-Identifier: Apache-2.0
// This file holds the two owning links between objects: Ref is never null, RefPtr may be.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace clarity::core {

/// An owning link that may be null. Counts on the object's internal count (object.h), not on the one the
/// application sees.
template <class T>
class RefPtr {
public:
  RefPtr() = default;
  RefPtr(std::nullptr_t) {}
  explicit RefPtr(T* object) : object_(object) {
    if (object_) object_->retainInternal();
  }
  /// Takes over a count that the caller holds.
  static RefPtr adopt(T* object) {
    RefPtr result;
    result.object_ = object;
    return result;
  }
  RefPtr(const RefPtr& other) : RefPtr(other.object_) {}
  RefPtr(RefPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  /// A reference to an object of a derived class.
  template <class Derived>
    requires std::is_convertible_v<Derived*, T*>
  RefPtr(RefPtr<Derived>&& other) noexcept : object_(other.release()) {}
  RefPtr& operator=(RefPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~RefPtr() {
    if (object_) object_->releaseInternal();
  }
  T* get() const { return object_; }
  /// Gives the count to the caller.
  T* release() { return std::exchange(object_, nullptr); }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  T* object_ = nullptr;
};

/// An owning link that always leads to an object.
template <class T>
class Ref {
public:
  Ref(T& object) : object_(&object) {}
  /// Takes over the count; `object` is not null.
  explicit Ref(RefPtr<T>&& object) noexcept : object_(std::move(object)) {}
  T* operator->() const { return object_.get(); }
  T& operator*() const { return *object_; }
  T& get() const { return *object_; }
  operator T&() const { return *object_; }

private:
  RefPtr<T> object_;
};

}  // namespace clarity::core
