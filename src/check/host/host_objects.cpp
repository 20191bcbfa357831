// SPDX-License-Identifier: Apache-2.0
// This file names objects and describes calls in words.
#include "check/host/host_objects.h"

#include "support/flag_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <iterator>

namespace clarity::check {
namespace {

std::string quoted(const char* text) {
  if (!text) return "NULL";
  std::string_view view = text;
  const bool isLong = view.size() > 40;
  view = view.substr(0, std::min<std::size_t>(isLong ? 37 : 40, view.find('\n')));
  return fmt::format("\"{}{}\"", view, isLong ? "..." : "");
}

bool isAbout(std::string_view parameter, std::string_view word) { return parameter.find(word) != parameter.npos; }

/// "1024", "{16, 16}" for sizes that a call has by a pointer.
std::string sizesText(const HostCall& call, std::string_view parameter, std::uint64_t bits) {
  const bool isRange = call.has("work_dim") && (isAbout(parameter, "global_work") || parameter == "local_work_size");
  const bool isRegion = parameter == "region" || isAbout(parameter, "origin");
  if (!bits || (!isRange && !isRegion)) return {};
  const auto* const sizes = std::bit_cast<const std::size_t*>(bits);
  const cl_uint dims = isRegion ? 3 : call.at<cl_uint>("work_dim");
  if (dims == 0 || dims > 3) return {};
  return dims == 1 ? fmt::format("{}", sizes[0]) : fmt::format("{{{}}}", fmt::join(sizes, sizes + dims, ", "));
}

}  // namespace

HostObject* HostObjects::find(std::uint64_t handle) {
  const auto found = objects_.find(handle);
  return found == objects_.end() ? nullptr : &found->second;
}

HostObject* HostObjects::sharedAt(std::uint64_t address) {
  const auto behind = shared_.upper_bound(address);
  HostObject* const object = behind == shared_.begin() ? nullptr : find(*std::prev(behind));
  if (!object || object->kind != ValueKind::Pointer || object->isDead()) return nullptr;
  return address - object->handle < object->bytes ? object : nullptr;
}

HostObject& HostObjects::add(ValueKind kind, std::uint64_t handle, const HostCall& call) {
  std::string what(className(kind));
  if (kind == ValueKind::Pointer) what = "shared memory";
  if (kind == ValueKind::Device) what = "sub-device";
  if (kind == ValueKind::Memory)
    what = call.info.begins("clCreateImage") ? "image"
           : call.is("clCreateSubBuffer")    ? "sub-buffer"
           : call.is("clCreatePipe")         ? "pipe"
                                             : "buffer";
  HostObject& object = objects_[handle];
  object = {.kind = kind,
            .handle = handle,
            .number = ++numbers_[what],
            .name = what,
            .created = CallSite(call),
            .released = {},
            .words = inWords(call)};
  object.name += fmt::format(" {}", object.number);
  if (const char* const kernel = call.at<const char*>("kernel_name")) object.name += fmt::format(" '{}'", kernel);
  object.bytes = call.at("size");
  if (kind == ValueKind::Pointer) shared_.insert(handle);
  object.flags = call.at("flags");
  object.hostPointer = call.at("host_ptr");
  if (call.is("clCreateSubBuffer")) {
    object.parent = call.at("buffer");
    if (const auto* const region = call.at<const cl_buffer_region*>("buffer_create_info")) object.bytes = region->size;
  }
  return object;
}

std::string HostObjects::nameOf(ValueKind kind, std::uint64_t handle) const {
  if (handle == 0) return "NULL";
  const auto found = objects_.find(handle);
  if (found != objects_.end()) return found->second.name + (found->second.isDead() ? " (released)" : "");
  if (kind == ValueKind::Platform || kind == ValueKind::Device) return fmt::format("{:#x}", handle);
  return fmt::format("{:#x} (no {})", handle, className(kind));
}

std::string HostObjects::inWords(const HostCall& call) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < call.info.parameters.size() && i < call.arguments.size(); ++i) {
    const std::string_view name = call.info.parameters[i];
    const Value value = call.arguments[i];
    if (name == "errcode_ret" || (name == "event" && value.kind == ValueKind::Pointer) || name == "user_data" ||
        name == "num_events_in_wait_list")
      continue;
    std::string text = sizesText(call, name, value.bits);
    if (!text.empty()) {
    } else if (isHandle(value.kind)) {
      text = nameOf(value.kind, value.bits);
    } else if (value.kind == ValueKind::Text) {
      text = quoted(value.as<const char*>());
    } else if (name == "event_wait_list" || name == "event_list") {
      const std::size_t count = call.waitList().size();
      if (count == 0) continue;
      text = fmt::format("{} event{}", count, count == 1 ? "" : "s");
    } else if (name.starts_with("blocking")) {
      text = value.bits ? "CL_TRUE" : "CL_FALSE";
    } else if (name == "map_flags") {
      text = support::mapFlagNames(value.bits);
    } else if (name == "flags" && call.info.begins("clCreate")) {
      text = support::memoryFlagNames(value.bits);
    } else if (name == "device_type") {
      text = support::deviceTypeNames(value.bits);
    } else if (name == "properties" && call.is("clCreateCommandQueue")) {
      text = support::queuePropertyNames(value.bits);
    } else if (name == "flags" && value.bits < 8 && call.is("clEnqueueSVMMap")) {
      text = support::mapFlagNames(value.bits);
    } else if (name == "arg_value" && call.givenHandle() && find(*call.givenHandle())) {
      text = "&" + nameOf(ValueKind::Memory, *call.givenHandle());
    } else if (value.kind == ValueKind::Pointer) {
      text = value.bits ? fmt::format("{:#x}", value.bits) : "NULL";
    } else if (value.kind == ValueKind::Signed) {
      text = fmt::format("{}", static_cast<std::int64_t>(value.bits));
    } else {
      text = isAbout(name, "param_name") || isAbout(name, "propert") || isAbout(name, "_type")
                 ? support::constantName(value.bits)
                 : fmt::format("{}", value.bits);
    }
    words.push_back(fmt::format("{} = {}", name, text));
  }
  return fmt::format("{}({})", call.info.name, fmt::join(words, ", "));
}

}  // namespace clarity::check
