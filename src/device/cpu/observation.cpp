// SPDX-License-Identifier: Apache-2.0
// This file defines what instrumented code calls.
#include "device/cpu/observation.h"

#include "support/observer_hooks.h"

namespace clarity::device::cpu {
namespace {

constinit thread_local LaunchObserver* current [[gnu::tls_model("initial-exec")]] = nullptr;

}  // namespace

Observing::Observing(LaunchObserver* observer) : before_(current) { current = observer; }
Observing::~Observing() { current = before_; }

}  // namespace clarity::device::cpu

void __clarity_observe_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z) {
  if (clarity::device::LaunchObserver* const observer = clarity::device::cpu::current)
    observer->access({.site = site, .address = address, .bytes = bytes, .globalId = {x, y, z}});
}
