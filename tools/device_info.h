// SPDX-License-Identifier: Apache-2.0
// This file declares the device queries that `clarity info` shows, as data: the query, its label and the format of its
// value (OpenCL 3.0 API, table 5 "Device Queries").
#pragma once

#include "cl_api.h"

#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace clarity::tools {

enum class InfoKind {
  Text,
  Words,
  Names,  ///< with semicolons between them: too many to be shown
  Number,
  Bytes,
  Megahertz,
  Nanoseconds,
  Bits,
  Flag,
  Sizes,
  Version,
  NamedVersions,
  ComputeCapability,
  PciBus,
  Uuid,
  DeviceType,
  FloatConfig,
  CacheType,
  LocalType,
  Execution,
  QueueProperties,
  Affinity,
  Partitions,
  AtomicCapabilities,
  SvmCapabilities,
};

enum class InfoGroup { Device, Compute, Memory, Vectors, Arithmetic, Images, Language };

struct InfoRow {
  cl_device_info query;
  const char* key;    ///< in JSON
  const char* label;  ///< for people
  InfoKind kind;
  InfoGroup group;
  bool brief;  ///< shown without --verbose
};

std::span<const InfoRow> deviceInfoRows();
const char* nameOf(InfoGroup group);

/// The value as JSON, null if the device does not support the query.
nlohmann::ordered_json query(const cl::Device& device, const InfoRow& row);
/// The same value for people: "30.6 GiB", "4096 x 4096", "fused multiply-add, denormals".
std::string readable(const InfoRow& row, const nlohmann::ordered_json& value);

/// "1.5 GiB"; exact if possible, otherwise with one decimal.
std::string readableBytes(std::uint64_t bytes);

}  // namespace clarity::tools
