// SPDX-License-Identifier: Apache-2.0
// This file makes the system have no more threads, for tests of what is to hold then.
#pragma once

namespace clarity::test {

/// Sanitizers need the C library's own function: threads do not fail then.
#if !defined(__has_feature) || !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#define CLARITY_THREADS_CAN_FAIL 1
#endif

#ifdef CLARITY_THREADS_CAN_FAIL
/// While it exists, no thread of the process can make another one. The program exports its symbols, so that this holds
/// for libraries, too.
class FailingThreads {
public:
  FailingThreads();
  ~FailingThreads();
  FailingThreads(const FailingThreads&) = delete;
  FailingThreads& operator=(const FailingThreads&) = delete;
};
#endif

}  // namespace clarity::test
