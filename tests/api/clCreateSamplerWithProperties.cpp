// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSamplerWithProperties (OpenCL 3.0, section 5.7.1; cl_khr_mipmap_image).
#include "enqueue_checks.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace clarity::test {
namespace {

using List = std::vector<cl_sampler_properties>;

cl_sampler_properties bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

struct CreateSamplerWithProperties : OpenCL {
  auto with(const List& list) {
    return [list, this](cl_int* e) {
      return driver->clCreateSamplerWithProperties(context, list.empty() ? nullptr : list.data(), e);
    };
  }
};

TEST_F(CreateSamplerWithProperties, defaults) {
  for (const List& list : {List{}, List{0}}) {
    cl_sampler made = created(with(list));
    EXPECT_EQ(infoOf<cl_bool>(clGetSamplerInfo, made, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_TRUE});
    EXPECT_EQ(infoOf<cl_addressing_mode>(clGetSamplerInfo, made, CL_SAMPLER_ADDRESSING_MODE),
              cl_addressing_mode{CL_ADDRESS_CLAMP});
    EXPECT_EQ(infoOf<cl_filter_mode>(clGetSamplerInfo, made, CL_SAMPLER_FILTER_MODE),
              cl_filter_mode{CL_FILTER_NEAREST});
    EXPECT_EQ(infoOf<cl_filter_mode>(clGetSamplerInfo, made, CL_SAMPLER_MIP_FILTER_MODE_KHR),
              cl_filter_mode{CL_FILTER_NEAREST});
    EXPECT_EQ(infoOf<cl_float>(clGetSamplerInfo, made, CL_SAMPLER_LOD_MIN_KHR), 0.0F);
    EXPECT_EQ(infoOf<cl_float>(clGetSamplerInfo, made, CL_SAMPLER_LOD_MAX_KHR), std::numeric_limits<float>::max());
    EXPECT_EQ(infoVectorOf<cl_sampler_properties>(clGetSamplerInfo, made, CL_SAMPLER_PROPERTIES), list);
  }
}

TEST_F(CreateSamplerWithProperties, everyProperty) {
  const List list{CL_SAMPLER_FILTER_MODE,
                  CL_FILTER_LINEAR,
                  CL_SAMPLER_NORMALIZED_COORDS,
                  CL_FALSE,
                  CL_SAMPLER_ADDRESSING_MODE,
                  CL_ADDRESS_CLAMP_TO_EDGE,
                  CL_SAMPLER_MIP_FILTER_MODE_KHR,
                  CL_FILTER_LINEAR,
                  CL_SAMPLER_LOD_MIN_KHR,
                  bitsOf(1.5F),
                  CL_SAMPLER_LOD_MAX_KHR,
                  bitsOf(3.25F),
                  0};
  cl_sampler made = created(with(list));
  EXPECT_EQ(infoOf<cl_bool>(clGetSamplerInfo, made, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_FALSE});
  EXPECT_EQ(infoOf<cl_addressing_mode>(clGetSamplerInfo, made, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP_TO_EDGE});
  EXPECT_EQ(infoOf<cl_filter_mode>(clGetSamplerInfo, made, CL_SAMPLER_FILTER_MODE), cl_filter_mode{CL_FILTER_LINEAR});
  EXPECT_EQ(infoOf<cl_filter_mode>(clGetSamplerInfo, made, CL_SAMPLER_MIP_FILTER_MODE_KHR),
            cl_filter_mode{CL_FILTER_LINEAR});
  EXPECT_EQ(infoOf<cl_float>(clGetSamplerInfo, made, CL_SAMPLER_LOD_MIN_KHR), 1.5F);
  EXPECT_EQ(infoOf<cl_float>(clGetSamplerInfo, made, CL_SAMPLER_LOD_MAX_KHR), 3.25F);
  EXPECT_EQ(infoVectorOf<cl_sampler_properties>(clGetSamplerInfo, made, CL_SAMPLER_PROPERTIES), list);
}

// context is no context.
TEST_F(CreateSamplerWithProperties, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT,
                [&](cl_int* e) { return driver->clCreateSamplerWithProperties(bad.handle, nullptr, e); });
}

// A property or a value that is none, a property twice, values that do not go together.
TEST_F(CreateSamplerWithProperties, invalidValue) {
  expectFails(CL_INVALID_VALUE, with({0x4711, 1, 0}));
  expectFails(CL_INVALID_VALUE, with({CL_SAMPLER_NORMALIZED_COORDS, 2, 0}));
  expectFails(CL_INVALID_VALUE, with({CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR, 0}));
  expectFails(CL_INVALID_VALUE, with({CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0}));
  expectFails(CL_INVALID_VALUE, with({CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_ADDRESS_CLAMP, 0}));
  expectFails(CL_INVALID_VALUE, with({CL_SAMPLER_LOD_MIN_KHR, bitsOf(std::numeric_limits<float>::quiet_NaN()), 0}));
  expectFails(CL_INVALID_VALUE,
              with({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}));
  expectFails(CL_INVALID_VALUE,
              with({CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0}));
  // Values of 64 bits are not cut to 32.
  expectFails(CL_INVALID_VALUE, with({CL_SAMPLER_FILTER_MODE, (cl_sampler_properties{1} << 32) | CL_FILTER_LINEAR, 0}));
  expectFails(CL_INVALID_VALUE,
              with({CL_SAMPLER_ADDRESSING_MODE, (cl_sampler_properties{1} << 32) | CL_ADDRESS_CLAMP, 0}));
  EXPECT_TRUE(wasNotifiedOf(0x4711)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
