// SPDX-License-Identifier: Apache-2.0
// This file defines the dispatch tables that the ICD loader calls through (cl_khr_icd) from api.def: the plain one,
// one that writes a line for each call, and one for checks of the host program and profiles. Which one is used is
// decided when the driver is loaded.
#include "api/icd.h"

#include "api/entry_points.h"
#include "api/host_calls.h"
#include "api/trace.h"
#include "core/messages.h"
#include "core/object.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace clarity::api {
namespace {

/// An entry point of an extension that Clarity does not have.
template <class Pointer>
struct Unsupported;
template <class Result, class... Args>
struct Unsupported<Result(CL_API_CALL*)(Args...)> {
  static Result call(Args... args) {
    if constexpr (std::is_same_v<Result, cl_int>) {
      return CL_INVALID_OPERATION;
    } else {
      // The others return a handle, and their last argument is errcode_ret.
      cl_int* const errcode = std::get<sizeof...(Args) - 1>(std::tie(args...));
      if (errcode) *errcode = CL_INVALID_OPERATION;
      return nullptr;
    }
  }
};

// The names as types, for the traced functions.
#define API_ENTRY(name, parameters)             \
  struct NameOf_##name {                        \
    static constexpr const char* value = #name; \
  };
#define API_BY_NAME(name, parameters) API_ENTRY(name, parameters)
#define API_UNSUPPORTED(name) API_ENTRY(name, "")
#include "support/api.def"

// Filled by member, not by position: the order is that of the header.
constexpr cl_icd_dispatch plainTable() {
  cl_icd_dispatch table{};
#define API_ENTRY(name, parameters) table.name = name;
#define API_UNSUPPORTED(name) table.name = Unsupported<decltype(cl_icd_dispatch::name)>::call;
#define API_ABSENT(name) table.name = nullptr;
#include "support/api.def"
  return table;
}

constexpr cl_icd_dispatch tracedTable() {
  cl_icd_dispatch table{};
#define API_ENTRY(name, parameters) table.name = Traced<name, NameOf_##name>::call;
#define API_UNSUPPORTED(name) \
  table.name = Traced<Unsupported<decltype(cl_icd_dispatch::name)>::call, NameOf_##name>::call;
#define API_ABSENT(name) table.name = nullptr;
#include "support/api.def"
  return table;
}

constexpr cl_icd_dispatch checkedTable() {
  cl_icd_dispatch table = plainTable();
#define API_ENTRY(name, parameters) table.name = Checked<name, NameOf_##name>::call;
#include "support/api.def"
  return table;
}

// Every slot of the table of OpenCL 3.0 is in the list, once; headers of later versions have more.
constexpr std::size_t slots = 0
#define API_ENTRY(name, parameters) +1
#define API_UNSUPPORTED(name) +1
#define API_ABSENT(name) +1
#include "support/api.def"
    ;
constexpr std::size_t tableBytes = slots * sizeof(void*);
static_assert(tableBytes <= sizeof(cl_icd_dispatch));

/// A dispatch table with what later versions than 3.0 append to it. Loaders of such versions read these slots whatever
/// version a driver has: those that are not known yet are null, which they take for a missing function.
struct Table {
  cl_icd_dispatch known;
  void* later[32];

  Table(const cl_icd_dispatch& its, cl_api_clGetKernelSuggestedLocalWorkSize suggestedLocalWorkSize)
      : known(its), later{} {
    // A loader that knows cl_khr_icd 2 tells by these two slots, which none calls, that it may keep a table of its own.
    known.clGetPlatformIDs = std::bit_cast<decltype(known.clGetPlatformIDs)>(CL_ICD2_TAG_KHR);
    known.clUnloadCompiler = std::bit_cast<decltype(known.clUnloadCompiler)>(CL_ICD2_TAG_KHR);
    // OpenCL 3.1.
    std::memcpy(reinterpret_cast<std::byte*>(this) + tableBytes, &suggestedLocalWorkSize,
                sizeof suggestedLocalWorkSize);
  }
};

const cl_icd_dispatch* makeTable() {
  if (observesCalls()) {
    if (checksHost()) core::ObjectPool::keptFree = 4096;
    static const Table checked(
        checkedTable(), Checked<clGetKernelSuggestedLocalWorkSize, NameOf_clGetKernelSuggestedLocalWorkSize>::call);
    return &checked.known;
  }
  if (core::isTraced()) {
    static const Table traced(
        tracedTable(), Traced<clGetKernelSuggestedLocalWorkSize, NameOf_clGetKernelSuggestedLocalWorkSize>::call);
    return &traced.known;
  }
  static const Table plain(plainTable(), clGetKernelSuggestedLocalWorkSize);
  return &plain.known;
}

using core::isTraced;

struct Named {
  std::string_view name;
  void* plain;
  void* traced;
  void* checked;
};

}  // namespace

void* addressByName(const char* name) {
  // A function of an extension that the platform does not have has no address, so that applications can tell.
#define API_ENTRY(name, parameters)                                                                  \
  {#name, reinterpret_cast<void*>(name), reinterpret_cast<void*>(Traced<name, NameOf_##name>::call), \
   reinterpret_cast<void*>(Checked<name, NameOf_##name>::call)},
#define API_BY_NAME(name, parameters) API_ENTRY(name, parameters)
  static const Named all[] = {
#include "support/api.def"
  };
  if (!name) return nullptr;
  for (const Named& each : all)
    if (each.name == name) return observesCalls() ? each.checked : isTraced() ? each.traced : each.plain;
  return nullptr;
}

}  // namespace clarity::api

namespace clarity::core {

const _cl_icd_dispatch* const dispatchTable = api::makeTable();

}  // namespace clarity::core
