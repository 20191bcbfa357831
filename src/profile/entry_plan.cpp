// SPDX-License-Identifier: Apache-2.0
// This file makes the plans of entry points.
#include "profile/entry_plan.h"

#include <string_view>

namespace clarity::profile {

EntryPlan::EntryPlan(const check::CallInfo& its) : info(&its) {
  const auto at = [&](std::string_view parameter) { return its.indexOf(parameter); };
  event = at("event");
  queue = at("command_queue");
  size = at("size");
  region = at("region");
  dimensions = at("work_dim");
  globalSize = at("global_work_size");
  const bool isWait = its.name == "clEnqueueWaitForEvents";
  waits = at(isWait ? "event_list" : "event_wait_list");
  waitCount = at(isWait ? "num_events" : "num_events_in_wait_list");
  for (const std::string_view name : {"blocking_read", "blocking_write", "blocking_map", "blocking_copy", "blocking"})
    if (blocking < 0) blocking = at(name);
  isLaunch = its.name == "clEnqueueNDRangeKernel" || its.name == "clEnqueueTask";
  isQuery = its.begins("clGet");
  if (its.begins("clEnqueue") && event >= 0)
    makes = Makes::Command;
  else if (its.begins("clCreateCommandQueue"))
    makes = Makes::Queue;
  else if (its.name == "clCreateProgramWithSource")
    makes = Makes::Source;
  else if (its.name == "clBuildProgram" || its.name == "clCompileProgram")
    makes = Makes::Build;
}

const std::vector<EntryPlan>& entryPlans() {
  static const auto& all = [] -> const std::vector<EntryPlan>& {
    auto& plans = *new std::vector<EntryPlan>;
    for (const check::CallInfo* const info : check::allCallInfos()) plans.emplace_back(*info);
    return plans;
  }();
  return all;
}

}  // namespace clarity::profile
