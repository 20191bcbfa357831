// SPDX-License-Identifier: Apache-2.0
// This file keeps the driver's static objects, and those of LLVM and clang inside it, to the end of the process.
//
// When the process ends its threads still run, some of ours among them: they may be in the middle of compiling a
// kernel. Static objects inside functions are created when they are first needed, so no handler can be registered late
// enough to wait for such threads before they go. Nothing in this driver needs its destructor to run: files are written
// whole or not at all, and memory goes with the process. The linker leads every registration of a destructor here
// (--wrap=__cxa_atexit).
//
// Objects of threads are destroyed when their thread ends (support/thread_end.h), but for those of the thread that ends
// the process.

#include "support/process_end.h"
#include "support/thread_end.h"

#include <execinfo.h>

// When an exception passes through the C library (call_once), it opens the library that unwinds the stack at that
// moment, and ends the process if there is no memory for it. A backtrace makes it do so now.
[[gnu::constructor]] static void openUnwinder() {
  void* frame = nullptr;
  (void)backtrace(&frame, 1);
}

extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }

// Without memory to remember it the object stays; the C library would end the process.
extern "C" int __wrap___cxa_thread_atexit(void (*destroy)(void*), void* object, void*) {
  return clarity::support::atThreadEnd(destroy, object) ? 0 : -1;
}

// Registered after the destructors of the libraries that the driver needs, so that it runs before them.
[[gnu::constructor]] static void watchForTheEnd() { clarity::support::noticeProcessEnd(); }

#ifdef CLARITY_LLVM_STATIC
[[gnu::constructor]] static void markStaticObjectsPermanent() { clarity::support::staticObjectsArePermanent = true; }
#endif
