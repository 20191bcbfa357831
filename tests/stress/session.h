// SPDX-License-Identifier: Apache-2.0
// This file is what an application does with OpenCL, at random and with known results: buffers whose content a model in
// the host's memory follows.
#pragma once

#include "random.h"

#include <CL/cl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace clarity::stress {

/// Something that must not be: the sentence of a run that failed.
struct Failure : std::runtime_error {
  using runtime_error::runtime_error;
};

/// A call returned an error.
struct Refused : std::runtime_error {
  Refused(const char* call, cl_int itsCode)
      : runtime_error(std::string(call) + " returned " + std::to_string(itsCode)), code(itsCode) {}
  cl_int code;
  /// Whether it may come of too little memory, too few files or no driver for want of them.
  bool isOfResources() const;
};

inline void need(const char* call, cl_int code) {
  if (code != CL_SUCCESS) throw Refused(call, code);
}

/// The device, a context and a program that may be shared by threads. Releases all it has.
class Session {
public:
  /// `variant` is a number in the source: equal ones have the same code.
  explicit Session(unsigned variant);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Another program of the context, built; the caller releases it.
  cl_program build(const std::string& source, const char* options = "") const;
  /// The same on a thread of the driver, whose callback is waited for.
  cl_program buildInBackground(const std::string& source) const;
  /// A buffer of the context.
  cl_mem buffer(std::size_t bytes) const;

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_program program = nullptr;
  const unsigned variant;
};

/// The source of Session's program.
std::string sourceOf(unsigned variant);

/// A command-queue and some buffers of one thread.
class Model {
public:
  Model(const Session& session, Random random);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// One operation, chosen at random. Failure where a result is wrong.
  void step();
  /// Compares everything.
  void check();
  cl_command_queue queue() const { return queue_; }

private:
  struct Cells {
    cl_mem buffer = nullptr;
    std::vector<cl_uint> expected;
  };
  struct Range {
    std::size_t first, count;
  };

  Cells& any() { return cells_[random_.below(cells_.size())]; }
  Range rangeOf(const Cells&);
  /// The last command's event, for commands of an out-of-order queue; the new one takes its place.
  cl_uint waits() const { return last_ ? 1 : 0; }
  const cl_event* waitList() const { return last_ ? &last_ : nullptr; }
  void follow(cl_event event);

  void fill(Cells&);
  void copy(Cells& from, Cells& to);
  void write(Cells&);
  void read(Cells&);
  void map(Cells&);
  void launch(Cells&);
  void rebuild();
  void renew(Cells&);
  void compare(const Cells&, const cl_uint* got, Range, const char* how) const;
  void run(const char* kernel, Cells&, Range, std::size_t group, bool hasLocal);

  const Session& session_;
  Random random_;
  bool outOfOrder_;
  cl_command_queue queue_ = nullptr;
  cl_event last_ = nullptr;
  std::vector<Cells> cells_;
};

}  // namespace clarity::stress
