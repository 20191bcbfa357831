// SPDX-License-Identifier: Apache-2.0
// This file is how a test makes the discrete device fail and learns what it has done. The drivers with that device
// export these functions; the test finds them in the driver that the loader has opened (several_devices.cpp).
#pragma once

extern "C" {

/// The nth operation from now on (1: the next one) fails instead of running, and leaves rubbish where it would have
/// written; 0: none.
void clarityDiscreteFailOperation(unsigned n);
/// The nth allocation from now on finds no memory; 0: none.
void clarityDiscreteFailAllocation(unsigned n);

/// Counts of all discrete devices of the process.
struct ClarityDiscreteCounts {
  unsigned long long operations, bytesFromHost, bytesToHost;
};
void clarityDiscreteCounts(ClarityDiscreteCounts*);

}  // extern "C"
