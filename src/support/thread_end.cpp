// SPDX-License-Identifier: Apache-2.0
// This file keeps a list of functions for each thread, which the destructor of a thread-specific value goes through.
#include "support/thread_end.h"

#include <pthread.h>
#include <array>
#include <cstddef>
#include <new>

namespace clarity::support {
namespace {

struct Entry {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};

struct Node {
  Entry entry;
  Node* next = nullptr;
};

/// Trivial: it must outlive the thread's objects.
struct List {
  std::array<Entry, 4> first;
  std::size_t count = 0;  ///< entries of `first` in use
  Node* further = nullptr;
  bool registered = false;  ///< the destructor of the thread-specific value will run
};
constinit thread_local List list [[gnu::tls_model("initial-exec")]];

bool takeLast(Entry& entry) {
  if (Node* const node = list.further) {
    entry = node->entry;
    list.further = node->next;
    delete node;
    return true;
  }
  if (list.count == 0) return false;
  entry = list.first[--list.count];
  return true;
}

void runAll(void*) {
  for (Entry entry; takeLast(entry);) entry.function(entry.argument);
  list.registered = false;  // another library's destructor may call the driver, and make objects again
}

struct Key {
  pthread_key_t value{};
  bool made = pthread_key_create(&value, runAll) == 0;
};

bool registerThread() {
  static const Key key;
  list.registered = list.registered || (key.made && pthread_setspecific(key.value, &list) == 0);
  return list.registered;
}

}  // namespace

bool atThreadEnd(void (*function)(void*), void* argument) noexcept {
  if (!registerThread()) return false;
  if (!list.further && list.count < list.first.size()) {
    list.first[list.count++] = {function, argument};
    return true;
  }
  auto* const node = new (std::nothrow) Node{{function, argument}, list.further};
  if (node) list.further = node;
  return node != nullptr;
}

}  // namespace clarity::support
