// SPDX-License-Identifier: Apache-2.0
// This file opens the libraries that the installed driver brings along (private_libraries.cmake): SLEEF, under another
// name. An application may load it under the name that it had, a newer one too, and gets its own: the dynamic linker
// knows a library by its name and takes the one that came first.
//
// The copies are opened locally, whoever opens the driver in whatever way, so that nothing else in the process is bound
// to their functions. The driver is bound to none of another copy either: it has a stub for each function that it
// needs, a jump to an address that is filled in here.
#include "support/private_library.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>

// The table that private_libraries.py writes.
struct PrivateLibrary {
  const char* file;   // its name, beside the driver
  const char* names;  // of the functions, each ended by a zero
  std::size_t count;
  const char* stubs;  // stubBytes for each function
  void** addresses;   // where the stubs jump to
};
extern "C" const PrivateLibrary clarityPrivateLibraries[];
extern "C" const std::size_t clarityPrivateLibraryCount;

namespace {

constexpr std::size_t stubBytes = 8;

char complaint[PATH_MAX + 256];

bool isOpened(const PrivateLibrary& library, const char* folder) {
  char path[PATH_MAX + 64];
  std::snprintf(path, sizeof path, "%s%s", folder, library.file);
  void* const handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const char* name = library.names;
  for (std::size_t i = 0; handle && i < library.count; ++i, name += std::strlen(name) + 1) {
    library.addresses[i] = ::dlsym(handle, name);
    if (!library.addresses[i]) break;
  }
  if (handle && (library.count == 0 || library.addresses[library.count - 1])) return true;
  const char* const reason = ::dlerror();
  std::snprintf(complaint, sizeof complaint, "the installation is incomplete: the driver needs the library %s: %s",
                path, reason ? reason : "a function is missing");
  clarity::support::missingLibrary = complaint;
  return false;
}

// Before all other constructors of the driver.
[[gnu::constructor(101)]] void openPrivateLibraries() {
  // Beside the file itself: a name that led to the driver may be a link.
  Dl_info own;
  char path[PATH_MAX] = "";
  if (!::dladdr(complaint, &own) || !::realpath(own.dli_fname, path)) {
    clarity::support::missingLibrary = "the driver does not find the folder that it was loaded from";
    return;
  }
  if (char* const slash = std::strrchr(path, '/')) slash[1] = '\0';
  for (std::size_t i = 0; i < clarityPrivateLibraryCount; ++i)
    if (!isOpened(clarityPrivateLibraries[i], path)) return;
}

}  // namespace

// The function behind one of the driver's stubs, for code that would jump twice (builtins/vector_math.cpp); any other
// function is its own.
extern "C" void* clarityFunctionBehind(void* function) {
  for (std::size_t i = 0; i < clarityPrivateLibraryCount; ++i) {
    const PrivateLibrary& library = clarityPrivateLibraries[i];
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(function) - library.stubs);
    if (offset < library.count * stubBytes) return library.addresses[offset / stubBytes];
  }
  return function;
}
