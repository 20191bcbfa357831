// SPDX-License-Identifier: Apache-2.0
// This file keeps compiles that no launch waits for yet, and forks, apart.
#include "device/host/code_ahead.h"

#include "compiler/guard/limits.h"
#include "support/background.h"

#include <pthread.h>
#include <exception>
#include <memory>
#include <new>
#include <shared_mutex>
#include <utility>

namespace clarity::device::host {
namespace {

/// Held by each compile, and by fork() while it makes the child. Never destroyed: threads use it to the very end.
std::shared_mutex& forks() {
  static auto* const mutex = new std::shared_mutex;
  return *mutex;
}

void beforeFork() {
  compiler::cancelAhead(true);
  forks().lock();
}

void inParent() {
  forks().unlock();
  compiler::cancelAhead(false);
}

/// Another thread than the one that has locked it: the only one of the child.
void inChild() {
  new (&forks()) std::shared_mutex;
  compiler::cancelAhead(false);
}

}  // namespace

void compileAhead(std::weak_ptr<Executable> executable, std::function<void(Executable&)> compile) {
  static const bool forksWait = ::pthread_atfork(beforeFork, inParent, inChild) == 0;
  if (!forksWait) return;
  support::runWhenIdle([executable = std::move(executable), compile = std::move(compile)] {
    const std::shared_lock lock(forks());
    const std::shared_ptr<Executable> held = executable.lock();
    if (!held) return;
    try {
      compile(*held);
    } catch (const std::exception&) {
    }
  });
}

}  // namespace clarity::device::host
