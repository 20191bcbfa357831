// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of samplers (OpenCL 3.0, section 5.7). No device supports images yet, so none can
// be made.
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"

namespace clarity::api {
namespace {

cl_sampler failCreate(cl_context context) {
  ref<core::Context>(context);
  // CL_INVALID_OPERATION if images are not supported by any device associated with context.
  fail(CL_INVALID_OPERATION, "no device of the context supports images and samplers");
}

[[noreturn]] void failSampler(cl_sampler sampler) {
  // CL_INVALID_SAMPLER if sampler is not a valid sampler object.
  failHandle(CL_INVALID_SAMPLER, "sampler", sampler);
}

}  // namespace

cl_sampler clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return failCreate(context); });
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties*, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return failCreate(context); });
}

cl_int clRetainSampler(cl_sampler sampler) {
  return entry([&] { failSampler(sampler); });
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return entry([&] { failSampler(sampler); });
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info, size_t, void*, size_t*) {
  return entry([&] { failSampler(sampler); });
}

}  // namespace clarity::api
