// SPDX-License-Identifier: Apache-2.0
// This file ends all commands of a context at once.
#include "sched/termination.h"

#include "sched/event.h"
#include "sched/external_payload.h"

#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace clarity::sched {
namespace {

/// Never destroyed: applications release events from their own static destructors.
struct Unfinished {
  std::mutex mutex;
  std::unordered_map<const core::Context*, std::unordered_set<Event*>> events;
};

Unfinished& unfinished() {
  static Unfinished* const all = new Unfinished;
  return *all;
}

}  // namespace

void Termination::add(Event& event) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().events[&event.context()].insert(&event);
}

void Termination::remove(Event& event) noexcept {
  const std::lock_guard lock(unfinished().mutex);
  const auto ofContext = unfinished().events.find(&event.context());
  if (ofContext == unfinished().events.end()) return;
  ofContext->second.erase(&event);
  if (ofContext->second.empty()) unfinished().events.erase(ofContext);
}

bool Termination::run(core::Context& context) {
  if (!context.terminate()) return false;
  // Events that are made from now on end as soon as nothing is left to wait for.
  std::vector<RefPtr<Event>> events;
  {
    const std::lock_guard lock(unfinished().mutex);
    if (const auto found = unfinished().events.find(&context); found != unfinished().events.end())
      for (Event* const event : found->second)
        if (event->tryRetainInternal()) events.push_back(RefPtr<Event>::adopt(event));
  }
  for (const RefPtr<Event>& event : events) event->terminate();
  stopWaiting(context);
  for (const Ref<core::Device>& device : context.devices()) device->backend().endLaunches(context.termination());
  return true;
}

}  // namespace clarity::sched
