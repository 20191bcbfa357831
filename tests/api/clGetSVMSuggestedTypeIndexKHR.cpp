// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSVMSuggestedTypeIndexKHR (cl_khr_unified_svm).
#include "unified_svm.h"

#include <algorithm>

namespace clarity::test {
namespace {

struct GetSVMSuggestedTypeIndex : UnifiedSvmTest {
  cl_uint suggestion(Capabilities required, Capabilities desired = 0, const Properties& properties = {}) {
    cl_uint type = 12345;
    EXPECT_SUCCESS(suggest(context, required, desired, properties.empty() ? nullptr : properties.data(), 16, &type));
    return type;
  }
  /// Whether some type has it.
  bool isThere(Capabilities capability) const {
    return std::any_of(types.begin(), types.end(), [&](Capabilities each) { return each & capability; });
  }
};

// Capabilities that a type has are answered with that type.
TEST_F(GetSVMSuggestedTypeIndex, findsEveryType) {
  const Properties associated{CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, ofDevice(), 0};
  for (cl_uint type = 0; type < types.size(); ++type) {
    EXPECT_EQ(suggestion(types[type], 0, associated), type);
    EXPECT_EQ(types[suggestion(types[type])] & types[type], types[type]);
  }
}

TEST_F(GetSVMSuggestedTypeIndex, findsEveryCapability) {
  for (unsigned bit = 0; bit < 15; ++bit) {
    if (!isThere(Capabilities{1} << bit)) continue;
    const cl_uint type = suggestion(Capabilities{1} << bit);
    ASSERT_LT(type, types.size()) << bit;
    EXPECT_TRUE(types[type] >> bit & 1);
  }
}

// Memory of what is suggested without a device can be allocated without one, if that is possible at all.
TEST_F(GetSVMSuggestedTypeIndex, prefersWhatPropertiesAllow) {
  const Capabilities shared = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_HOST_READ_KHR |
                              CL_SVM_CAPABILITY_HOST_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
                              CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
  EXPECT_TRUE(types[suggestion(shared)] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR);
  EXPECT_NE(made(suggestion(shared), {}), nullptr);
}

// Desired capabilities decide between types that have the required ones, and are not needed.
TEST_F(GetSVMSuggestedTypeIndex, prefersWhatIsDesired) {
  const Capabilities basic = CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR;
  for (const Capabilities desired : {CL_SVM_CAPABILITY_HOST_OWNED_KHR, CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR})
    if (isThere(desired)) EXPECT_TRUE(types[suggestion(basic, desired)] & desired);
  EXPECT_LT(suggestion(basic, Capabilities{1} << 40), types.size());
}

TEST_F(GetSVMSuggestedTypeIndex, findsNone) {
  EXPECT_EQ(suggestion(Capabilities{1} << 40), kNone);
  EXPECT_EQ(suggestion(CL_SVM_CAPABILITY_DEVICE_OWNED_KHR | CL_SVM_CAPABILITY_HOST_OWNED_KHR), kNone);
}

TEST_F(GetSVMSuggestedTypeIndex, invalidContext) {
  cl_uint type = 0;
  EXPECT_CL(CL_INVALID_CONTEXT, suggest(nullptr, 0, 0, nullptr, 0, &type));
  EXPECT_CL(CL_INVALID_CONTEXT, suggest(notAnObject<cl_context>(), 0, 0, nullptr, 0, &type));
}

TEST_F(GetSVMSuggestedTypeIndex, invalidProperty) {
  cl_uint type = 0;
  for (const Properties& wrong :
       {Properties{0x7777, 0, 0}, {CL_SVM_ALLOC_ALIGNMENT_KHR, 3, 0}, {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 4, 0}})
    EXPECT_CL(CL_INVALID_PROPERTY, suggest(context, 0, 0, wrong.data(), 0, &type));
}

TEST_F(GetSVMSuggestedTypeIndex, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, suggest(context, 0, 0, nullptr, 0, nullptr));
}

}  // namespace
}  // namespace clarity::test
