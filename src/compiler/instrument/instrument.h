// SPDX-License-Identifier: Apache-2.0
// This file is the door for instrumentation: passes that see a kernel as the source has it, ahead of the first clean-up
// pass, with source locations and the names of variables, and insert calls into it. instrument.cpp lists them.
//
// Instrumented code is compiled from the portable IR that the compiled program keeps (-cl-clarity-instrument), goes
// through the same lowering as other code, and differs from it in one more way: work-items run one by one in the order
// z, y, x of their ids, region by region between barriers. So there are no packets (but for sub-group functions, lane
// by lane), no merged or interleaved work-groups, no interchanged loops, no private reductions, and atomics stay
// atomic.
#pragma once

#include "compiler/ir/shape.h"
#include "compiler/ir/site.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace llvm {
class Module;
}

namespace clarity::compiler {

struct Options;

/// The places that events name by their index: passes of instrumentation hand them on to the one that reads events.
struct InstrumentedPlaces {
  std::vector<Site> sites;
  /// Appends a site; returns its index.
  std::uint32_t add(Site site) {
    sites.push_back(std::move(site));
    return static_cast<std::uint32_t>(sites.size() - 1);
  }
};

/// One pass of instrumentation. It gets the whole program, linked with what it uses of the builtin library, whose
/// functions are inlined where they access memory, so that every access has the location of the program's own line. Ids
/// are queried with emitQuery(); functions of the runtime are called by name (host/host_code.h: provideRuntimeSymbol).
struct InstrumentationPass {
  std::string_view name;
  bool (*serves)(Instrumentation, const Options&);
  void (*run)(llvm::Module&, InstrumentedPlaces&);
};

/// Runs the passes that serve the kind of instrumentation; then the module has no names any more, but lines.
void instrument(llvm::Module&, Instrumentation, const Options&, InstrumentedPlaces&);

}  // namespace clarity::compiler
