// SPDX-License-Identifier: Apache-2.0
// This file holds what debuggers look up by name.
#include "support/debug_state.h"

DebugState clarity_debug_state = {
    .version = debugStateVersion, .itemBytes = sizeof(DebuggedItem), .memoryBytes = sizeof(DebuggedMemory)};

[[gnu::noinline]] void clarity_debug_finding(const char* text) { asm volatile("" ::"r"(text) : "memory"); }
