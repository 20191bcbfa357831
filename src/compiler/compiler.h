// SPDX-License-Identifier: Apache-2.0
// This file is the compiler as the rest of the project sees it: source to image (once a program), image to native
// code (once a work-group shape). No LLVM type is visible. Every function may be called from any thread; none of
// them throws on bad input or ends the process: what is wrong is a Status and a text for the build log.
#pragma once

#include "compiler/combination.h"
#include "compiler/kernel_abi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

enum class Status {
  Ok,
  InvalidOptions,   ///< CL_INVALID_BUILD_OPTIONS, _COMPILER_OPTIONS or _LINKER_OPTIONS, by the call
  CompileFailure,   ///< CL_BUILD_PROGRAM_FAILURE or CL_COMPILE_PROGRAM_FAILURE
  LinkFailure,      ///< CL_BUILD_PROGRAM_FAILURE or CL_LINK_PROGRAM_FAILURE
  InvalidBinary,    ///< CL_INVALID_BINARY
  OutOfMemory,      ///< CL_OUT_OF_HOST_MEMORY
  Internal,         ///< a fault inside the compiler, caught
};

/// The most work-items of a work-group.
inline constexpr std::size_t largestWorkGroup = 4096;
/// What intel_reqd_sub_group_size may ask for.
inline constexpr std::uint32_t subGroupSizes[] = {4, 8, 16, 32};

/// What code is generated for.
struct Target {
  std::string cpu;       ///< LLVM's name of the processor, "znver5"
  std::string features;  ///< LLVM's feature string, "+avx2,-avx512f"
  unsigned vectorBits = 128;    ///< preferred vector width
  std::string extensions;       ///< the device's OpenCL extensions and OpenCL C features, separated by spaces
  std::string deviceVersion;    ///< goes into cache keys and binaries: a binary of another version is refused
};

/// Work-items of a full sub-group where neither the kernel nor an option asks for another size: 32-bit values of a vector.
std::uint32_t naturalSubGroupSize(const Target&);

/// The processor this runs on, or the one named (`x86-64`, `x86-64-v3`, `znver4`...; empty features unless "native").
Target hostTarget(std::string_view cpu = "native");

/// Extensions and features of OpenCL C that its code has on every processor, separated by blanks.
std::string_view hostExtensions();
/// Whether the target's processor has what LLVM calls so: "fma".
bool hasFeature(const Target&, std::string_view feature);
/// Whether hostTarget() means something by this name.
bool knowsCpu(std::string_view cpu);

/// Address qualifiers of kernel arguments (values of CL_KERNEL_ARG_ADDRESS_*).
enum class AddressQualifier : std::uint32_t { Global = 0x119B, Local = 0x119C, Constant = 0x119D, Private = 0x119E };

enum class ArgKind : std::uint8_t { Value, Buffer, Local, Image, Sampler, Pipe };

/// What a kernel does with a buffer if this is all it does with it: it combines integers with those there, atomically, and never looks at
/// them. In which order does not show, so each thread can do it in a copy of its own.
struct Reduction {
  Combination combination = Combination::Add;
  std::uint8_t bytes = 0;  ///< of an integer: 4 or 8; 0: the buffer is none
  explicit operator bool() const { return bytes != 0; }
  bool operator==(const Reduction&) const = default;
};

/// One kernel argument (clGetKernelArgInfo; clSetKernelArg checks against it).
struct KernelArg {
  ArgKind kind = ArgKind::Value;
  std::string name;      ///< empty unless built with -cl-kernel-arg-info or from source
  std::string typeName;  ///< as in the source, "float4*"
  AddressQualifier address = AddressQualifier::Private;
  std::uint32_t access = 0x11A3;    ///< CL_KERNEL_ARG_ACCESS_*; NONE
  std::uint64_t typeQualifiers = 0; ///< CL_KERNEL_ARG_TYPE_* bits
  std::uint32_t size = 0;    ///< bytes clSetKernelArg expects for a Value; 8 in the block for everything else
  std::uint32_t align = 0;   ///< of a Value, or of what a pointer points at
  std::uint32_t offset = 0;  ///< in the packed argument block
  Reduction reduction;
};

/// A kernel of an image, as it is known before any native code exists.
struct KernelInfo {
  std::string name;
  std::string attributes;  ///< CL_KERNEL_ATTRIBUTES
  std::vector<KernelArg> args;
  std::uint32_t argBlockBytes = 0;
  std::array<std::uint32_t, 3> requiredLocalSize{};  ///< reqd_work_group_size; 0 0 0 if none
  std::array<std::uint32_t, 3> localSizeHint{};
  std::uint64_t localBytes = 0;    ///< of __local variables declared in the kernel
  std::uint64_t privateBytes = 0;  ///< estimate per work-item
  bool hasBarrier = false;
  /// The kernel cannot tell where a work-group ends (no barrier, local memory, local or group ids or sizes): the
  /// device may divide the NDRange as it likes and one native code serves every local size.
  bool groupAgnostic = false;
  bool queriesSize = false;  ///< how many work-items or work-groups there are: it may step by them
  bool reductions = false;   ///< one of the arguments is a reduction
  bool usesPrintf = false;
  bool usesSubGroups = false;
  std::uint32_t subGroupSize = 0;          ///< work-items of a full sub-group; known once the builtin library is linked
  std::uint32_t requiredSubGroupSize = 0;  ///< intel_reqd_sub_group_size; 0 if none
  bool uniformWorkGroups = true;  ///< OpenCL C 1.x or -cl-uniform-work-group-size: no smaller groups at the edges
};

/// A program's variables in global memory: one block, of which every program object has its own on every device. Native
/// code names a variable by a symbol that is bound to the block's address when the code is loaded.
struct GlobalVariables {
  struct Variable {
    std::string symbol;
    std::uint64_t offset = 0, bytes = 0;
  };
  /// What is not zero to begin with.
  struct Content {
    std::uint64_t offset = 0;
    std::string bytes;
  };
  /// A place that begins as the address of another place of the block.
  struct Pointer {
    std::uint64_t offset = 0, target = 0;
  };
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  std::uint64_t largest = 0;        ///< bytes of the largest variable
  std::vector<Variable> variables;  ///< by symbol
  std::vector<Content> contents;
  std::vector<Pointer> pointers;

  const Variable* find(std::string_view symbol) const;
};

/// What a program has beside its kernels.
struct ProgramScope {
  GlobalVariables variables;
  /// Runs once, as one work-item, ahead of the first kernel: the constructors of program-scope objects. Nobody else can launch it.
  std::optional<KernelInfo> constructors;
};

enum class ImageKind : std::uint8_t { Object = 1, Library = 2, Executable = 4 };  // values of CL_PROGRAM_BINARY_TYPE_*

/// A compiled program: what clGetProgramInfo(CL_PROGRAM_BINARIES) returns and clCreateProgramWithBinary takes.
struct Image {
  ImageKind kind = ImageKind::Executable;
  std::string options;              ///< of the build, as the application gave them
  std::vector<KernelInfo> kernels;  ///< in the source's order
  ProgramScope scope;               ///< of an Executable; of others, how many bytes of variables they define
  std::string bitcode;              ///< Object, Library: portable IR; Executable: kernel IR (builtins linked, optimised)
  std::uint64_t hash[2] = {0, 0};   ///< of all of the above and the target; native code is cached under it

  const KernelInfo* find(std::string_view kernel) const;
};

std::string serialise(const Image&, const Target&);
/// nullptr and a sentence in `why` when the bytes are cut short, changed, or of another version or device.
std::shared_ptr<const Image> deserialise(std::span<const std::byte>, const Target&, std::string& why);

struct Outcome {
  Status status = Status::Ok;
  std::string log;  ///< clang's diagnostics with file, line and caret, and our own remarks
  std::shared_ptr<const Image> image;
  bool fromCache = false;
};

/// An embedded header of clCompileProgram.
struct Header {
  std::string name;
  std::string text;
};

/// OpenCL C source to an Object.
Outcome compile(std::string_view source, std::span<const Header> headers, std::string_view options, const Target&);
/// Objects and Libraries to an Executable, or to a Library with -create-library.
Outcome link(std::span<const std::shared_ptr<const Image>> images, std::string_view options, const Target&);
/// Source to Executable in one go (clBuildProgram), through the disk cache.
Outcome build(std::string_view source, std::string_view options, const Target&);

/// What native code is specialised for.
struct Shape {
  std::array<std::uint32_t, 3> local{};  ///< exact work-group size; 0 0 0: any size up to the enqueued one
  bool wideIds = false;  ///< offset plus global size reaches 2^31 in some dimension
  bool nonTemporal = false;  ///< what the launch writes does not fit into the caches: stores go past them
  bool interchange = true;     ///< work-items may step through more memory than the caches hold, with many turns of a loop for each of them
  bool privateReductions = false;  ///< the reductions among the arguments are copies that one thread alone sees
  bool operator==(const Shape&) const = default;
};

/// Native code of one kernel for one shape. Lives as long as the object.
class NativeKernel {
public:
  virtual ~NativeKernel() = default;
  Entry entry = nullptr;
  bool groupAgnostic = false;                  ///< slices are of global ids, not of work-groups
  std::array<std::uint32_t, 3> tile{1, 1, 1};  ///< work-items that are executed together: slices of multiples of it leave no rest
  std::uint64_t spillBytesPerItem = 0; ///< WorkerMemory::spill needs this times the work-items of a group, rounded up to 64
  std::uint64_t chunkItems = 0;       ///< but at least times this many
  std::uint64_t interleavedGroups = 1;   ///< work-groups that run together where WorkerMemory has room for so many
  std::span<const std::byte> code;    ///< for telling which kernel faulted
  bool fromCache = false;
  std::string remarks;                ///< what was done and why, for reports
};

struct NativeOutcome {
  Status status = Status::Ok;
  std::string log;
  std::shared_ptr<NativeKernel> kernel;
};

/// Kernel IR to native code in memory. The disk cache is consulted first. `variables` is where the block of the image's
/// ProgramScope::variables is; nullptr if it is empty.
NativeOutcome generate(const Image&, std::string_view kernel, const Shape&, const Target&, std::byte* variables);

/// Makes a function of this process callable by name from generated code (the runtime's printf). Before the first
/// generate(); `name` lives as long as the process.
void provideRuntimeSymbol(const char* name, void* address);

/// Where compiled code is kept between processes. Set once, before the first build; without a folder nothing is kept.
struct CacheConfig {
  std::string folder;
  std::uint64_t maxBytes = 256ull << 20;
};
void configureCache(CacheConfig);

}  // namespace clarity::compiler
