// SPDX-License-Identifier: Apache-2.0
// This file tests what a GPU says of itself, where the CUDA driver is what it comes from.
#include "cuda_stub.h"

namespace clarity::test {
namespace {

struct CudaProperties : CudaStub {};

// cl_khr_pci_bus_info.
TEST_F(CudaProperties, placeOnTheBus) {
  const std::string names = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  EXPECT_NE(names.find(" cl_khr_pci_bus_info "), std::string::npos) << names;
  const auto bus = infoOf<cl_device_pci_bus_info_khr>(clGetDeviceInfo, device, CL_DEVICE_PCI_BUS_INFO_KHR);
  EXPECT_EQ(bus.pci_domain, 3U);
  EXPECT_EQ(bus.pci_bus, 0x1bU);
  EXPECT_EQ(bus.pci_device, 2U);
  EXPECT_EQ(bus.pci_function, 0U);
}

}  // namespace
}  // namespace clarity::test
