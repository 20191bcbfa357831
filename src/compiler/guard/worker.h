// SPDX-License-Identifier: Apache-2.0
// This file runs the compiler on threads of its own, whose stacks are large enough for deeply nested programs and
// where a fault inside clang or LLVM ends the compile and not the process.
#pragma once

#include "compiler/ir/status.h"

#include <functional>
#include <memory>
#include <string>

namespace clarity::compiler {

/// Runs `work` and waits for it. After a fault `work` has stopped somewhere in its middle: what it was writing is in
/// an unknown state and must be given up, not destroyed; so let it write to something on the heap.
///
/// Ok when it returned; CompileFailure when it ran out of stack, which is the program's nesting; OutOfMemory for
/// std::bad_alloc; Internal for everything else, with a line in `log`.
Status runGuarded(const std::function<void()>& work, std::string& log);

/// The same on the calling thread, for work that needs little stack: using and freeing what was compiled.
/// std::bad_alloc, and nothing is done, where there is no memory to begin with.
Status runGuardedHere(const std::function<void()>& work, std::string& log);

/// runGuarded for work that makes a T: what `make` returned, or nothing and a status that is not Ok.
template <class T>
std::unique_ptr<T> makeGuarded(const std::function<void(T&)>& make, Status& status, std::string& log) {
  auto result = std::make_unique<T>();
  status = runGuarded([&make, to = result.get()] { make(*to); }, log);
  if (status == Status::Ok) return result;
  static_cast<void>(result.release());  // half made, and perhaps in use by a frame that is gone: not to be touched
  return nullptr;
}

}  // namespace clarity::compiler
