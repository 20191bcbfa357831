// SPDX-License-Identifier: Apache-2.0
// This file is the list of the events that wait for an event, with the kinds of edges that lead to them.
#pragma once

#include "core/ref.h"

#include <cstdint>
#include <vector>

namespace clarity::sched {

class Event;

/// The dependence of an event on an earlier one.
enum class Edge : std::uint8_t {
  Order,   ///< it only comes later: the command before it in a command-queue
  Result,  ///< it needs what the earlier one does: its wait list. An error of the earlier one ends it too.
  Part,    ///< the earlier one is a part of it: the first error of a part is its own
};

/// An edge of the event graph, as the earlier event has it.
struct Dependent {
  core::RefPtr<Event> event;
  Edge edge = Edge::Order;
  bool orderedByDevice = false;  ///< the device orders the two operations
};
/// A list whose first element, mostly the only one, needs no allocation.
struct Dependents {
  Dependent first;
  std::vector<Dependent> others;
  void add(Dependent dependent);
  template <class Visit>
  void forEach(const Visit& visit) {
    if (first.event) visit(first);
    for (Dependent& each : others) visit(each);
  }
};

}  // namespace clarity::sched
