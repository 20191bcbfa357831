// SPDX-License-Identifier: Apache-2.0
// This file reads in the application's source what becomes of the error of a call: whether a condition, a function or
// an exception gets it, or nothing.
#include "check/host/host_place.h"
#include "check/host/host_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace clarity::check {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// A program or library, as far as the names in it tell.
struct Module {
  /// It makes exceptions of errors: opencl.hpp where exceptions are enabled, Boost.Compute, PyOpenCL. Their types have
  /// names that stay in stripped files, too.
  bool throwsErrors = false;
  /// assert() does something: without it there is no call of the C library's function.
  bool asserts = false;
};

const Module& moduleAt(const std::string& path) {
  static auto& known = *new std::map<std::string, Module>;
  const auto [place, isNew] = known.try_emplace(path);
  Module& module = place->second;
  if (!isNew) return module;
  std::ifstream stream(path, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(stream), {});
  for (const std::string_view type : {"N2cl5ErrorE", "N5boost7compute12opencl_errorE", "N7pyopencl5errorE"})
    module.throwsErrors |= content.find(type) != content.npos;
  module.asserts = content.find("__assert_fail") != content.npos;
  return module;
}

/// The names by which the source may call a function: its own, the method of opencl.hpp.
std::array<std::string, 2> namesOf(std::string_view function) {
  std::string method(function.substr(std::min<std::size_t>(function.size(), 2)));
  if (!method.empty()) method[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(method[0])));
  if (function == "clSetKernelArg") method = "setArg";
  if (function == "clBuildProgram") method = "build";
  if (function == "clWaitForEvents") method = "wait";
  if (function == "clEnqueueUnmapMemObject") method = "enqueueUnmapMemObject";
  return {std::string(function), method};
}

/// The place of a word, from a place on; npos: nowhere.
std::size_t findWord(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || (!isOfName(text[at - 1]) && text[at - 1] != '"');
    if (begins && (end >= text.size() || !isOfName(text[end]))) return at;
  }
  return text.npos;
}

/// The place where a bracket closes that opens at a place.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == '}' || text[i] == ']';
    if (depth == 0) return i;
  }
  return text.npos;
}

/// A call in the text: `name` at `at`, with its bracket.
struct Call {
  std::string_view text;
  bool asserts = false;  ///< assert() does something
  std::size_t at = 0, open = 0;
};

/// Whether a place is inside of `assert(...)`.
bool isInAssert(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_last_of(";{}", at);
  const std::size_t word = findWord(text.substr(0, at), "assert", end == text.npos ? 0 : end + 1);
  return word != text.npos && text.substr(word, at - word).find('(') != text.npos;
}

/// The use of a variable behind a place in the source, before it gets another value.
ErrorUse useOfVariable(const Call& call, std::string_view name, std::size_t from) {
  const std::string_view text = call.text;
  for (std::size_t at = findWord(text, name, from); at != text.npos; at = findWord(text, name, at + 1)) {
    std::size_t next = at + name.size();
    while (next < text.size() && isBlank(text[next])) ++next;
    const std::string_view behind = text.substr(next);
    // Errors that are gathered are looked at later, if at all. Where assert() does nothing, no one looks.
    const bool isGathered = behind.starts_with("|=") || behind.starts_with("+=") || behind.starts_with("&=");
    if (isGathered || (!call.asserts && isInAssert(text, at))) continue;
    const bool isSet = behind.starts_with('=') && !behind.starts_with("==");
    const bool isGiven = at > 0 && text[at - 1] == '&' && (at < 2 || text[at - 2] != '&');
    return isSet || isGiven ? ErrorUse::Dropped : ErrorUse::LookedAt;
  }
  return ErrorUse::Unknown;
}

/// Whether a condition looks at a handle that a call returns.
bool isTested(std::string_view text, std::string_view name, std::size_t from) {
  for (std::size_t at = findWord(text, name, from); at != text.npos; at = findWord(text, name, at + 1)) {
    std::size_t before = at, next = at + name.size();
    while (before > 0 && isBlank(text[before - 1])) --before;
    while (next < text.size() && isBlank(text[next])) ++next;
    const std::string_view behind = text.substr(next);
    const bool isCompared = behind.starts_with("==") || behind.starts_with("!=") || behind.starts_with("?") ||
                            behind.starts_with("&&") || behind.starts_with("||");
    if (isCompared || (before > 0 && text[before - 1] == '!')) return true;
    std::string_view head = text.substr(0, before);
    if (head.ends_with("&&") || head.ends_with("||")) return true;
    if (!head.ends_with('(') || !behind.starts_with(')')) continue;
    head.remove_suffix(1);
    while (!head.empty() && isBlank(head.back())) head.remove_suffix(1);
    // OpenCL's functions that take it alone do not test it.
    std::size_t word = head.size();
    while (word > 0 && isOfName(head[word - 1])) --word;
    if (!head.substr(word).starts_with("cl")) return true;
  }
  return false;
}

/// The name that ends at a place, with what it is a member of; empty: none.
std::string_view nameBefore(std::string_view text, std::size_t end) {
  while (end > 0 && isBlank(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && isOfName(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

/// Back over the object of a method: "queue.", "all[i]->".
std::size_t beginOfExpression(std::string_view text, std::size_t at) {
  const auto isJoined = [&](std::size_t end) {
    return end > 0 &&
           (text[end - 1] == '.' || text.substr(0, end).ends_with("->") || text.substr(0, end).ends_with("::"));
  };
  while (isJoined(at)) {
    at -= text[at - 1] == '.' ? 1 : 2;
    if (at > 0 && (text[at - 1] == ']' || text[at - 1] == ')')) {
      int depth = 0;
      while (at > 0) {
        const char c = text[--at];
        depth += c == ']' || c == ')';
        depth -= c == '[' || c == '(';
        if (depth == 0) break;
      }
    }
    while (at > 0 && isOfName(text[at - 1])) --at;
  }
  while (at > 0 && isBlank(text[at - 1])) --at;
  return at;
}

/// The use of the error that a function returns.
ErrorUse useOfResult(const Call& call) {
  std::size_t at = beginOfExpression(call.text, call.at);
  // A cast, or a condition's bracket.
  while (at > 0 && call.text[at - 1] == ')') {
    int depth = 0;
    std::size_t open = at;
    while (open > 0) {
      const char c = call.text[--open];
      depth += c == ')';
      depth -= c == '(';
      if (depth == 0) break;
    }
    const std::string_view word = nameBefore(call.text, open);
    if (!word.empty()) return word == "if" || word == "for" || word == "while" ? ErrorUse::Dropped : ErrorUse::Unknown;
    at = open;
    while (at > 0 && isBlank(call.text[at - 1])) --at;
  }
  if (at == 0) return ErrorUse::Dropped;
  const char before = call.text[at - 1];
  if (before == ';' || before == '{' || before == '}' || before == ':') return ErrorUse::Dropped;
  const std::string_view word = nameBefore(call.text, at);
  if (word == "else" || word == "do") return ErrorUse::Dropped;
  const std::size_t end = closing(call.text, call.open);
  if (end == call.text.npos) return ErrorUse::Unknown;
  std::size_t begin = call.text.substr(0, at).find_last_of(";{}");
  begin = begin == call.text.npos ? 0 : begin + 1;
  const std::string_view statement = call.text.substr(begin, at - begin);
  // `if ((error = clFinish(queue)) != CL_SUCCESS)`, `CHECK(error = clFinish(queue))`.
  if (std::ranges::count(statement, '(') > std::ranges::count(statement, ')')) return ErrorUse::LookedAt;
  if (before == '=' && at > 1 && std::string_view("=!<>").find(call.text[at - 2]) == std::string_view::npos) {
    std::size_t name = at - 1;
    if (name > 0 && std::string_view("|&+").find(call.text[name - 1]) != std::string_view::npos) --name;
    const std::string_view variable = nameBefore(call.text, name);
    return variable.empty() ? ErrorUse::Unknown : useOfVariable(call, variable, end);
  }
  return before == '!' || before == '=' || before == '(' || before == ',' ? ErrorUse::LookedAt : ErrorUse::Unknown;
}

/// The use of the error of a function that returns an object, with the error where its last argument points.
ErrorUse useOfErrorArgument(const Call& call) {
  const std::size_t end = closing(call.text, call.open);
  if (end == call.text.npos) return ErrorUse::Unknown;
  int depth = 0;
  std::size_t begin = end;
  while (begin > call.open + 1 && !(depth == 0 && call.text[begin - 1] == ',')) {
    const char c = call.text[--begin];
    depth += c == ')' || c == ']' || c == '}';
    depth -= c == '(' || c == '[' || c == '{';
  }
  std::string_view last = call.text.substr(begin, end - begin);
  while (!last.empty() && isBlank(last.front())) last.remove_prefix(1);
  while (!last.empty() && isBlank(last.back())) last.remove_suffix(1);
  // The object tells that there was an error, too.
  std::size_t at = beginOfExpression(call.text, call.at);
  while (at > 0 && call.text[at - 1] == ')') {  // a cast
    at = call.text.rfind('(', at);
    while (at != call.text.npos && at > 0 && isBlank(call.text[at - 1])) --at;
    if (at == call.text.npos) return ErrorUse::Unknown;
  }
  const bool isAssigned = at > 0 && call.text[at - 1] == '=';
  const std::string_view object = isAssigned ? nameBefore(call.text, at - 1) : std::string_view();
  if (!object.empty() && isTested(call.text, object, end)) return ErrorUse::LookedAt;
  if (last.starts_with('&') && std::ranges::all_of(last.substr(1), isOfName))
    return useOfVariable(call, last.substr(1), end);
  const bool isLeftOut = last == "NULL" || last == "nullptr" || last == "0";
  return isLeftOut && !object.empty() ? ErrorUse::Dropped : ErrorUse::Unknown;
}

}  // namespace

ErrorUse errorUse(const Frames& frames, std::string_view function) {
  const std::optional<CallInSource> source = callInSource(frames);
  if (!source) return ErrorUse::Unknown;
  const Module& module = moduleAt(source->module);
  if (module.throwsErrors) return ErrorUse::LookedAt;
  const std::string text = source->before + source->text;
  const std::size_t from = source->before.size();
  for (const std::string& name : namesOf(function)) {
    Call call{.text = text, .asserts = module.asserts, .at = findWord(text, name, from)};
    // In a line with several calls the column says which one it is.
    const std::size_t column = from + (source->column ? source->column - 1 : 0);
    const std::size_t later =
        column > name.size() ? findWord(text, name, column - std::min(column, name.size())) : text.npos;
    if (later != text.npos && later >= from && later <= column + 1) call.at = later;
    if (call.at == text.npos) continue;
    call.open = call.at + name.size();
    while (call.open < text.size() && isBlank(text[call.open])) ++call.open;
    if (call.open >= text.size() || text[call.open] != '(') continue;
    const bool returnsObject = function.starts_with("clCreate") || function == "clLinkProgram" ||
                               function == "clCloneKernel" || function.starts_with("clEnqueueMap");
    if (!returnsObject) return useOfResult(call);
    // opencl.hpp's objects keep what they are; how they are made differs.
    return name == function ? useOfErrorArgument(call) : ErrorUse::Unknown;
  }
  return ErrorUse::Unknown;
}

}  // namespace clarity::check
