// SPDX-License-Identifier: Apache-2.0
// This file keeps the process's handlers for the signals of faults, and what a thread needs for them, in place.
#pragma once

#include <signal.h>
#include <ucontext.h>

namespace clarity::support {

/// Deals with a fault of this thread, and does not return then, or with a signal that the driver has sent itself; false
/// if it is not the driver's.
using FaultHandler = bool (*)(int signal, const siginfo_t&, const ucontext_t&);

/// Installs handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGTRAP where others are. Signals that `handler` returns
/// false for are passed on to the handler that was there before. `handler` is the same at every call.
void installFaultHandlers(FaultHandler handler);

/// Gives this thread an alternate signal stack if it has none, or one that is too small for a signal.
void ensureAlternateStack();

/// Whether this thread blocks one of the signals.
bool blocksFaultSignals();

/// Unblocks them; `before` is the mask until then.
void unblockFaultSignals(sigset_t& before);

}  // namespace clarity::support
