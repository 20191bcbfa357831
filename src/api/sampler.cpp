// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of samplers (OpenCL 3.0, section 5.7).
#include "core/sampler.h"

#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/property_list.h"
#include "core/constant_names.h"
#include "core/image_support.h"

#include <CL/cl_ext.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace clarity::api {

using core::ConstantName;
using core::Context;
using core::Sampler;
using core::Sampling;

namespace {

const InfoRow<const Sampler> samplerInfo[] = {
    INFO_ROW(cl_uint, CL_SAMPLER_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_context, CL_SAMPLER_CONTEXT, it.context().handle()),
    INFO_ROW(cl_bool, CL_SAMPLER_NORMALIZED_COORDS, it.sampling().normalised),
    INFO_ROW(cl_addressing_mode, CL_SAMPLER_ADDRESSING_MODE, it.sampling().addressing),
    INFO_ROW(cl_filter_mode, CL_SAMPLER_FILTER_MODE, it.sampling().filter),
    INFO_ROW(cl_filter_mode, CL_SAMPLER_MIP_FILTER_MODE_KHR, it.sampling().mipFilter),
    INFO_ROW(cl_float, CL_SAMPLER_LOD_MIN_KHR, it.sampling().lodMin),
    INFO_ROW(cl_float, CL_SAMPLER_LOD_MAX_KHR, it.sampling().lodMax),
    INFO_ROW(std::vector<cl_sampler_properties>, CL_SAMPLER_PROPERTIES, it.properties()),
};

/// CL_INVALID_VALUE if addressing mode, filter modes or a combination of values are not valid.
void requireValid(const Sampling& sampling) {
  failIf(sampling.addressing < CL_ADDRESS_NONE || sampling.addressing > CL_ADDRESS_MIRRORED_REPEAT, CL_INVALID_VALUE,
         "addressing mode {} is not one of the standard", ConstantName{sampling.addressing});
  for (const cl_filter_mode filter : {sampling.filter, sampling.mipFilter})
    failIf(filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR, CL_INVALID_VALUE,
           "filter mode {} is not one of the standard", ConstantName{filter});
  const bool repeats = sampling.addressing == CL_ADDRESS_REPEAT || sampling.addressing == CL_ADDRESS_MIRRORED_REPEAT;
  failIf(repeats && !sampling.normalised, CL_INVALID_VALUE,
         "addressing mode {} repeats the image, which needs normalised coordinates", ConstantName{sampling.addressing});
  failIf(std::isnan(sampling.lodMin) || std::isnan(sampling.lodMax), CL_INVALID_VALUE,
         "the levels of detail are from {} to {}", sampling.lodMin, sampling.lodMax);
}

/// CL_INVALID_OPERATION if images are not supported by any device associated with context.
void requireImages(const Context& context) {
  failIf(!core::supportsImages(context), CL_INVALID_OPERATION, "no device of the context supports images and samplers");
}

/// A property that is a cl_float: its bits are in the low half.
float floatOf(cl_sampler_properties value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }

/// A property that is a mode, of 32 bits.
cl_uint modeOf(cl_sampler_properties name, cl_sampler_properties value) {
  const auto mode = static_cast<cl_uint>(value);
  failIf(mode != value, CL_INVALID_VALUE, "sampler property {} is {:#x}, which is no mode", ConstantName{name}, value);
  return mode;
}

/// One property. CL_INVALID_VALUE if its name is not a supported one or its value is not valid.
void set(Sampling& sampling, cl_sampler_properties name, cl_sampler_properties value) {
  switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      failIf(value != CL_FALSE && value != CL_TRUE, CL_INVALID_VALUE, "CL_SAMPLER_NORMALIZED_COORDS is {:#x}", value);
      sampling.normalised = value == CL_TRUE;
      return;
    case CL_SAMPLER_ADDRESSING_MODE: sampling.addressing = modeOf(name, value); return;
    case CL_SAMPLER_FILTER_MODE: sampling.filter = modeOf(name, value); return;
    case CL_SAMPLER_MIP_FILTER_MODE_KHR: sampling.mipFilter = modeOf(name, value); return;
    case CL_SAMPLER_LOD_MIN_KHR: sampling.lodMin = floatOf(value); return;
    case CL_SAMPLER_LOD_MAX_KHR: sampling.lodMax = floatOf(value); return;
    default: fail(CL_INVALID_VALUE, "sampler property {} is not supported", ConstantName{name});
  }
}

}  // namespace

cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode,
                           cl_filter_mode filter_mode, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    requireImages(it);
    // CL_INVALID_VALUE if addressing_mode, filter_mode, normalized_coords or a combination of these are not valid.
    failIf(normalized_coords != CL_FALSE && normalized_coords != CL_TRUE, CL_INVALID_VALUE,
           "normalized_coords is {:#x}", normalized_coords);
    Sampling sampling;
    sampling.normalised = normalized_coords == CL_TRUE;
    sampling.addressing = addressing_mode;
    sampling.filter = filter_mode;
    requireValid(sampling);
    return (new Sampler(it, sampling, {}))->handOut();
  });
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties* sampler_properties,
                                         cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    requireImages(it);
    Sampling sampling;
    // CL_INVALID_VALUE if the same property name is specified more than once.
    auto list =
        readPropertyList(sampler_properties, CL_INVALID_VALUE, "sampler property",
                         [&](cl_sampler_properties name, cl_sampler_properties value) { set(sampling, name, value); });
    requireValid(sampling);
    return (new Sampler(it, sampling, std::move(list)))->handOut();
  });
}

cl_int clRetainSampler(cl_sampler sampler) {
  return entry([&] { retainHandle<Sampler>(sampler); });
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return entry([&] { releaseHandle<Sampler>(sampler); });
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size, void* param_value,
                        size_t* param_value_size_ret) {
  return entry([&] {
    answer(samplerInfo, ref<Sampler>(sampler), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
