// SPDX-License-Identifier: Apache-2.0
// This file calls functions of Python's stable interface (PEP 384), and some that every Python since 3.9 has.
#include "check/host/host_python.h"

#include "check/host/python_formats.h"

#include <dlfcn.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace clarity::check {
namespace {

using Object = void;

/// Py_buffer, whose layout is part of the stable interface.
struct Buffer {
  void* begin;
  Object* owner;
  ssize_t bytes, itemBytes;
  int isReadOnly, dimensions;
  char* format;
  ssize_t *shape, *strides, *suboffsets;
  void* internal;
  std::array<void*, 8> spare;
};
constexpr int withFormat = 0x4, ofAnyStrides = 0x18;  // PyBUF_FORMAT, PyBUF_STRIDES

struct Python {
  Object* (*threadState)() = nullptr;
  int (*holdsLock)() = nullptr;
  int (*ensure)() = nullptr;
  void (*release)(int) = nullptr;
  int (*isInitialised)() = nullptr;
  int (*isFinalising)() = nullptr;  ///< may be missing
  Object* (*frame)() = nullptr;
  Object* (*codeOf)(Object*) = nullptr;
  Object* (*callerOf)(Object*) = nullptr;
  int (*lineOf)(Object*) = nullptr;
  Object* (*attribute)(Object*, const char*) = nullptr;
  Object* (*typeOf)(Object*) = nullptr;
  Object* (*itemsOf)(Object*) = nullptr;
  ssize_t (*sizeOf)(Object*) = nullptr;
  Object* (*item)(Object*, ssize_t) = nullptr;
  Object* (*bytesOfText)(Object*) = nullptr;
  char* (*charsOf)(Object*) = nullptr;
  int (*getBuffer)(Object*, Buffer*, int) = nullptr;
  void (*releaseBuffer)(Buffer*) = nullptr;
  void (*fetchError)(Object**, Object**, Object**) = nullptr;
  void (*restoreError)(Object*, Object*, Object*) = nullptr;
  void (*incRef)(Object*) = nullptr;
  void (*decRef)(Object*) = nullptr;

  bool isThere = false;

  Python() {
    const auto find = [](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(RTLD_DEFAULT, name));
      return function != nullptr;
    };
    (void)(find(isFinalising, "Py_IsFinalizing") || find(isFinalising, "_Py_IsFinalizing"));
    isThere = find(threadState, "PyGILState_GetThisThreadState") && find(holdsLock, "PyGILState_Check") &&
              find(ensure, "PyGILState_Ensure") && find(release, "PyGILState_Release") &&
              find(isInitialised, "Py_IsInitialized") && find(frame, "PyEval_GetFrame") &&
              find(codeOf, "PyFrame_GetCode") && find(callerOf, "PyFrame_GetBack") &&
              find(lineOf, "PyFrame_GetLineNumber") && find(attribute, "PyObject_GetAttrString") &&
              find(typeOf, "PyObject_Type") && find(itemsOf, "PyMapping_Items") && find(sizeOf, "PySequence_Size") &&
              find(item, "PySequence_GetItem") && find(bytesOfText, "PyUnicode_AsUTF8String") &&
              find(charsOf, "PyBytes_AsString") && find(getBuffer, "PyObject_GetBuffer") &&
              find(releaseBuffer, "PyBuffer_Release") && find(fetchError, "PyErr_Fetch") &&
              find(restoreError, "PyErr_Restore") && find(incRef, "Py_IncRef") && find(decRef, "Py_DecRef");
  }
};
const Python& python() {
  static const Python instance;
  return instance;
}

/// A reference that is given back.
class PythonRef {
public:
  explicit PythonRef(Object* object) : object_(object) {}
  ~PythonRef() {
    if (object_) python().decRef(object_);
  }
  PythonRef(PythonRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PythonRef& operator=(PythonRef&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Object* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  Object* object_;
};

/// While one exists, this thread has the interpreter to itself, and what goes wrong in it is forgotten.
class Interpreter {
public:
  Interpreter() {
    const Python& its = python();
    if (!its.isThere || !its.isInitialised() || !its.threadState()) return;
    if (!its.holdsLock()) {
      if (its.isFinalising && its.isFinalising()) return;
      state_ = its.ensure();
    }
    isEntered_ = true;
    its.fetchError(&error_[0], &error_[1], &error_[2]);
  }
  ~Interpreter() {
    if (!isEntered_) return;
    python().restoreError(error_[0], error_[1], error_[2]);
    if (state_) python().release(*state_);
  }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  bool isEntered() const { return isEntered_; }

private:
  bool isEntered_ = false;
  std::optional<int> state_;
  std::array<Object*, 3> error_{};
};

std::string textOf(const PythonRef& text) {
  if (!text) return {};
  const PythonRef bytes(python().bytesOfText(text.get()));
  const char* const chars = bytes ? python().charsOf(bytes.get()) : nullptr;
  return chars ? chars : "";
}

PythonRef currentFrame() {
  Object* const frame = python().frame();
  if (frame) python().incRef(frame);
  return PythonRef(frame);
}

/// Packages that are installed, and what is not in a file.
bool isOfLibrary(std::string_view file) {
  return file.starts_with('<') || file.find("/site-packages/") != file.npos ||
         file.find("/dist-packages/") != file.npos || file.find("/lib/python3") != file.npos;
}

using Key = std::tuple<std::string, int>;
struct Places {
  std::mutex mutex;
  std::map<Key, std::unique_ptr<compiler::Site>> all;
  std::map<const void*, const compiler::Site*> byFrame;
};
Places& places() {
  static Places& instance = *new Places;
  return instance;
}

const void* keep(const std::string& file, int line) {
  Places& known = places();
  const std::lock_guard lock(known.mutex);
  std::unique_ptr<compiler::Site>& site = known.all[{file, line}];
  if (!site) {
    site = std::make_unique<compiler::Site>();
    site->file = file;
    site->line = static_cast<std::uint32_t>(line);
    known.byFrame[site.get()] = site.get();
  }
  return site.get();
}

/// A variable whose memory begins there.
std::shared_ptr<const GivenVariable> arrayIn(const PythonRef& pair, std::uint64_t address) {
  const Python& its = python();
  const PythonRef value(its.item(pair.get(), 1));
  const PythonRef type(value ? its.typeOf(value.get()) : nullptr);
  const std::string name = type ? textOf(PythonRef(its.attribute(type.get(), "__name__"))) : std::string();
  Buffer view{};
  // ctypes' arrays are of classes such as Point_Array_16.
  const bool isArray = name == "ndarray" || name == "array" || name.find("_Array_") != std::string::npos;
  if (!isArray || its.getBuffer(value.get(), &view, withFormat | ofAnyStrides) != 0) return nullptr;
  const auto element = reinterpret_cast<std::uint64_t>(view.begin) == address && view.format
                           ? elementOfFormat(view.format, static_cast<std::uint64_t>(view.itemBytes))
                           : std::nullopt;
  its.releaseBuffer(&view);
  if (!element) return nullptr;
  return std::make_shared<const GivenVariable>(textOf(PythonRef(its.item(pair.get(), 0))), *element);
}

}  // namespace

const void* pythonPlace() noexcept {
  try {
    const Interpreter entered;
    if (!entered.isEntered()) return nullptr;
    const Python& its = python();
    for (PythonRef frame = currentFrame(); frame; frame = PythonRef(its.callerOf(frame.get()))) {
      const PythonRef code(its.codeOf(frame.get()));
      const std::string file = code ? textOf(PythonRef(its.attribute(code.get(), "co_filename"))) : std::string();
      if (const int line = its.lineOf(frame.get()); !file.empty() && line > 0 && !isOfLibrary(file))
        return keep(file, line);
    }
  } catch (const std::exception&) {
    // No memory.
  }
  return nullptr;
}

const compiler::Site* pythonSite(const void* frame) {
  Places& known = places();
  const std::lock_guard lock(known.mutex);
  const auto found = known.byFrame.find(frame);
  return found == known.byFrame.end() ? nullptr : found->second;
}

std::shared_ptr<const GivenVariable> pythonArray(std::uint64_t address) noexcept {
  constexpr unsigned mostFrames = 8;
  constexpr ssize_t mostVariables = 1000;
  try {
    const Interpreter entered;
    if (!entered.isEntered() || address == 0) return nullptr;
    const Python& its = python();
    unsigned frames = 0;
    std::shared_ptr<const GivenVariable> best;
    for (PythonRef frame = currentFrame(); frame && frames < mostFrames;
         frame = PythonRef(its.callerOf(frame.get())), ++frames) {
      const PythonRef locals(its.attribute(frame.get(), "f_locals"));
      const PythonRef items(locals ? its.itemsOf(locals.get()) : nullptr);
      const ssize_t count = items ? std::min(its.sizeOf(items.get()), mostVariables) : 0;
      for (ssize_t i = 0; i < count; ++i)
        if (const PythonRef pair(its.item(items.get(), i)); pair)
          // The name that the outermost function has for it says most.
          if (auto array = arrayIn(pair, address)) best = std::move(array);
    }
    return best;
  } catch (const std::exception&) {
  }
  return nullptr;
}

}  // namespace clarity::check
