// SPDX-License-Identifier: Apache-2.0
// This file tests names in SPIR (compiler/frontend/spir_names.h).
#include "compiler/frontend/spir_names.h"

#include <gtest/gtest.h>

namespace clarity::compiler {
namespace {

TEST(SpirNames, qualifiersFollowTheAddressSpace) {
  EXPECT_EQ(currentName("_Z10atomic_addPVU3AS1ii"), "_Z10atomic_addPU3AS1Vii");
  EXPECT_EQ(currentName("_Z6vload4mPKU3AS1f"), "_Z6vload4mPU3AS1Kf");
  EXPECT_EQ(currentName("_Z14atomic_cmpxchgPVU3AS3jjj"), "_Z14atomic_cmpxchgPU3AS3Vjjj");
  EXPECT_EQ(currentName("_Z10atomic_addPU3AS1Vii"), "_Z10atomic_addPU3AS1Vii");
}

TEST(SpirNames, imagesHaveAccess) {
  EXPECT_EQ(currentName("_Z11read_imagef11ocl_image2d11ocl_samplerDv2_f"),
            "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f");
  EXPECT_EQ(currentName("_Z12write_imagef11ocl_image3dDv4_iDv4_f"), "_Z12write_imagef14ocl_image3d_woDv4_iDv4_f");
  EXPECT_EQ(currentName("_Z11read_imagei16ocl_image2darray11ocl_samplerDv4_i"),
            "_Z11read_imagei20ocl_image2d_array_ro11ocl_samplerDv4_i");
  EXPECT_EQ(currentName("_Z15get_image_width17ocl_image1dbuffer"), "_Z15get_image_width21ocl_image1d_buffer_ro");
  EXPECT_EQ(currentName("_Z11read_imagef21ocl_image2darraydepth11ocl_samplerDv4_f"),
            "_Z11read_imagef26ocl_image2d_array_depth_ro11ocl_samplerDv4_f");
  EXPECT_EQ(currentName("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f"),
            "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f");
}

// SPIR's first candidate for substitution is the first vector, that of names today the image.
TEST(SpirNames, imagesAreCandidatesForSubstitution) {
  const char* const current = "_Z12write_imagei20ocl_image2d_array_woDv4_iS0_";
  EXPECT_EQ(currentName("_Z12write_imagei16ocl_image2darrayDv4_iS_"), current);
  EXPECT_EQ(currentName("_Z12write_imagei20ocl_image2d_array_woDv4_iS_"), current);
  EXPECT_EQ(currentName(current), current);
  EXPECT_EQ(currentName("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_fS_S_"),
            "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_fS1_S1_");
  EXPECT_EQ(currentName("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_fS1_S1_"),
            "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_fS1_S1_");
}

// Modules are not trusted: what is done for a name takes time in proportion to its length.
TEST(SpirNames, longNames) {
  std::string pointers, images, substituted;
  for (int i = 0; i < 20'000; ++i) {
    pointers += "PVKU3AS1i";
    images += "11ocl_image2d";
    substituted += "S_";
  }
  EXPECT_EQ(currentName("_Z1f" + pointers).substr(0, 14), "_Z1fPU3AS1VKiP");
  EXPECT_EQ(currentName("_Z1f" + std::string(200'000, 'P')).size(), 200'004u);
  EXPECT_GT(currentName("_Z1f" + images + substituted).size(), images.size());
}

TEST(SpirNames, othersStay) {
  EXPECT_EQ(currentName("printf"), "printf");
  EXPECT_EQ(currentName("ocl_image2d"), "ocl_image2d");
  EXPECT_EQ(currentName("_Z1f3ocl_image2d"), "_Z1f3ocl_image2d");
  EXPECT_EQ(currentName("_Z3f99999999999ocl_image2d"), "_Z3f99999999999ocl_image2d");
}

}  // namespace
}  // namespace clarity::compiler
