// SPDX-License-Identifier: Apache-2.0
// This file lists the checks of host programs. Each is a HostCheck in a file of its own; a new one is declared here and
// added to the list in host_checker.cpp.
#pragma once

#include "check/host/host_objects.h"
#include "check/host/host_order.h"
#include "check/host/host_steps.h"
#include "check/report/reporter.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clarity::check {

/// State that checks of the host program share. Used under one lock.
struct HostScene {
  HostScene(Reporter& itsReporter, unsigned itsGroups, const HostServices& itsServices)
      : reporter(itsReporter), groups(itsGroups), services(itsServices), order(services) {}

  Reporter& reporter;
  const unsigned groups;
  const HostServices services;
  HostObjects objects;
  CommandOrder order;
  std::uint64_t now = 0;                   ///< the number of the last call
  mutable std::uint64_t lastReported = 0;  ///< the number of the call of the last finding

  /// User events that calls wait for which are under way, by the number of the call.
  struct Wait {
    CommandRef event;
    CallSite site;
    explicit Wait(CommandRef its, const HostCall& call) : event(std::move(its)), site(call) {}
  };
  std::map<std::uint64_t, std::vector<Wait>> waits;
  /// A call or a command has failed: commands that follow need not find what they use.
  bool hasFailed = false;
  /// Commands, by their numbers, of which a finding says that nothing waits for them.
  std::set<std::uint64_t> notAwaited;
  /// Objects that a call was to release and, by an error that is reported, has not.
  mutable std::set<std::uint64_t> notReleased;
  /// Kernels of which a finding says that threads share them.
  std::set<std::uint64_t> sharedKernels;
  /// Memory whose touches by the thread are looked for behind the present call.
  std::vector<StepWatch::Range> stepped;
  /// The time that the thread rests behind the present call.
  unsigned pauseMicroseconds = 0;

  struct Other {
    CallSite site;
    std::string what;
  };
  /// `at` is the call that the finding is about, `object` tells apart what is in the same place. `help`: where
  /// the kind's own sentence does not fit.
  void report(Kind kind, const CallSite& at, std::string summary, std::string what,
              const std::vector<Other>& others = {}, std::string object = {}, std::string help = {}) const;
};

/// Gets the calls of the application: before they are made, after they have returned. Nested ones, which callbacks
/// make, come in between.
class HostCheck {
public:
  virtual ~HostCheck() = default;
  virtual void before(HostCall&) {}
  /// Ahead of after(), of all checks: what the call has answered may change.
  virtual void answered(const HostCall&) {}
  virtual void after(const HostCall&) {}
  /// Memory that was looked for behind the last call of this thread (HostScene::stepped) was touched.
  virtual void touched(const std::vector<StepWatch::Touch>&) {}
  /// A command was enqueued.
  virtual void enqueued(const CommandRef&, const HostCall&) {}
  /// The application got to know that a command has ended.
  virtual void known(HostCommand&) {}
  /// A callback of an event begins.
  virtual void callbackBegins(const CallSite& /*registered*/) {}
  virtual void callbackEnds() {}
  /// The process ends.
  virtual void finish(int /*exitStatus*/) {}
};

using HostCheckRef = std::unique_ptr<HostCheck>;

/// Objects that are never released, released too often, or used afterwards (host_lifetime.cpp).
HostCheckRef lifetimeCheck(HostScene&);
/// Errors that the program goes on after as if there were none (host_errors.cpp).
HostCheckRef errorCheck(HostScene&);
/// Memory of the host that transfers use while they run (host_transfers.cpp).
HostCheckRef transferCheck(HostScene&);
/// Regions that are mapped, memory of CL_MEM_USE_HOST_PTR (host_mapping.cpp).
HostCheckRef mappingCheck(HostScene&);
/// Values of kernel arguments that are of another kind (host_arguments.cpp).
HostCheckRef argumentCheck(HostScene&);
/// Structures in buffers whose layout differs from the kernel's (host_layouts.cpp).
HostCheckRef layoutCheck(HostScene&);
/// Commands that are never submitted or can never run, blocking calls in callbacks (host_progress.cpp).
HostCheckRef progressCheck(HostScene&);
/// Memory that nothing has written and the host reads (host_readback.cpp).
HostCheckRef readBackCheck(HostScene&);
/// Memory of the host that several buffers have (host_shared_memory.cpp).
HostCheckRef sharedMemoryCheck(HostScene&);
/// Memory of the host that is smaller than a transfer (host_memory_size.cpp).
HostCheckRef memorySizeCheck(HostScene&);
/// Shared memory that kernels reach through pointers, and that was not named (host_named_memory.cpp).
HostCheckRef namedMemoryCheck(HostScene&);
/// Warnings of the compiler about formats of printf (host_warnings.cpp).
HostCheckRef warningCheck(HostScene&);
/// Kernel objects that threads share (host_threads.cpp).
HostCheckRef threadCheck(HostScene&);
/// Commands that access the same memory at the same time (command_race.cpp).
HostCheckRef commandRaceCheck(HostScene&);

}  // namespace clarity::check
