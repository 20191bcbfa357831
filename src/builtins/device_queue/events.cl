// SPDX-License-Identifier: Apache-2.0
// This file defines the functions of command-queues and events on the device (OpenCL C 3.0, 6.15.18.6 to 6.15.18.8).
// OpenCL C makes no numbers of its opaque types, so the functions have the mangled names of those that programs call.

#include "device_queue/hooks.clh"

#define FUNCTION(RETURN, MANGLED) __attribute__((always_inline)) RETURN MANGLED

FUNCTION(Queue, _Z17get_default_queuev)(void) { return __clarity_default_queue(__clarity_parent()); }

FUNCTION(int, _Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_)
(Queue queue, uint count, const generic Event *waits, generic Event *event) {
  return __clarity_enqueue_marker(__clarity_parent(), queue, count, waits, event);
}

FUNCTION(void, _Z12retain_event12ocl_clkevent)(Event event) { __clarity_retain_event(__clarity_parent(), event); }
FUNCTION(void, _Z13release_event12ocl_clkevent)(Event event) { __clarity_release_event(__clarity_parent(), event); }
FUNCTION(Event, _Z17create_user_eventv)(void) { return __clarity_create_event(__clarity_parent()); }
FUNCTION(bool, _Z14is_valid_event12ocl_clkevent)(Event event) {
  return __clarity_is_event(__clarity_parent(), event) != 0;
}
FUNCTION(void, _Z21set_user_event_status12ocl_clkeventi)(Event event, int status) {
  __clarity_set_event(__clarity_parent(), event, status);
}
FUNCTION(void, _Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v)(Event event, int name, global void *value) {
  __clarity_profile_event(__clarity_parent(), event, name, value);
}

/// CLK_NULL_EVENT (declarations.clh).
FUNCTION(Event, _Z16__null_clk_eventv)(void) { return ~0ul; }
