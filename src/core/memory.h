// SPDX-License-Identifier: Apache-2.0
// This file is the memory object: a buffer, a sub-buffer, an image or a pipe.
#pragma once

#include "core/callbacks.h"
#include "core/context.h"
#include "core/external_memory.h"
#include "core/image_description.h"
#include "core/object.h"
#include "core/pipe_description.h"
#include "core/ref.h"
#include "core/residency.h"
#include "device/memory.h"
#include "support/inline_vector.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace clarity::core {

/// The use that a command makes of the content of a part of a memory object.
enum class Access : std::uint8_t {
  Read,
  ReadWrite,  ///< or may leave parts of it as they are
  Overwrite,  ///< writes all of it: what was there before is not needed
};

/// A part of a memory object that a command uses. Keeps the memory object.
struct MemoryUse {
  Ref<class Memory> memory;
  std::size_t offset = 0, bytes = 0;  ///< in the memory object
  Access access = Access::Read;
  /// If not null: the rows that the command overwrites, in the memory object. Bytes between them are not touched, and
  /// may be used by other commands at the same time.
  std::shared_ptr<const Rectangle> rows{};
};

/// The memory that a command uses: of a launch as many without memory of their own as device::Launch::buffers has.
using MemoryUses = support::InlineVector<MemoryUse, 8>;

/// A buffer (OpenCL 3.0, section 5.2), a region of one, an image (section 5.3), which has memory of its own or is made
/// of a buffer or of another image, or a pipe (section 5.4). Images and pipes are linear memory with a description.
///
/// In a context whose devices share one memory (Context::sharesOneMemory(), the usual case), a buffer is one allocation
/// and nothing else is recorded. In any other context it has an allocation for each place (Context::places()) that has
/// needed one, and its Residency records where which bytes are valid; the scheduler moves content and fills in the
/// allocations when a command becomes ready (sched/placement.h). A memory object that is made of another one is a part
/// of it: it uses the allocations and the residency of its root.
class Memory final : public ApiObject<Memory, _cl_mem> {
public:
  /// A buffer. The arguments were checked; copies host_ptr's bytes if flags say so.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE if there is no memory.
  /// With `external` it is made of that.
  Memory(Context& context, cl_mem_flags flags, std::size_t size, void* hostPtr,
         std::vector<cl_mem_properties> properties, std::unique_ptr<const ExternalMemory> external = nullptr);
  /// A buffer of memory that the host and the devices share by address (MemoryPool::allocateShared): the same in all
  /// places, and nothing is recorded.
  Memory(Context& context, std::unique_ptr<device::Allocation> shared);
  /// A buffer of `size` bytes, at `offset`, of such a buffer (CL_MEM_USE_HOST_PTR): an object of its own.
  Memory(Memory& shared, std::size_t offset, cl_mem_flags flags, std::size_t size, void* hostPtr,
         std::vector<cl_mem_properties> properties);
  /// A sub-buffer of `parent`, which must not be a sub-buffer itself. `flags` are complete: what the application left
  /// out was inherited already.
  Memory(Memory& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);
  /// An image with memory of its own; the rest as of a buffer.
  Memory(Context& context, cl_mem_flags flags, const ImageDescription& image, void* hostPtr,
         std::vector<cl_mem_properties> properties, std::unique_ptr<const ExternalMemory> external = nullptr);
  /// An image whose texels are those of `parent`, a buffer, sub-buffer or image, from its first byte on. `flags` as of
  /// a sub-buffer.
  Memory(Memory& parent, cl_mem_flags flags, const ImageDescription& image, std::vector<cl_mem_properties> properties);
  /// An empty pipe.
  Memory(Context& context, cl_mem_flags flags, const PipeDescription& pipe);
  /// Calls the destructor callbacks, then frees the memory.
  ~Memory() override;

  Context& context() const { return context_; }
  cl_mem_object_type type() const { return image_ ? image_->type : pipe_ ? CL_MEM_OBJECT_PIPE : CL_MEM_OBJECT_BUFFER; }
  bool isBuffer() const { return !image_ && !pipe_; }
  /// Null for what is no image.
  const ImageDescription* image() const { return image_.get(); }
  /// Null for what is no pipe.
  const PipeDescription* pipe() const { return pipe_ ? &*pipe_ : nullptr; }
  bool isSubBuffer() const { return parent_ && !image_; }
  cl_mem_flags flags() const { return flags_; }
  /// Whether kernels may not write it: CL_MEM_READ_ONLY, CL_MEM_IMMUTABLE_EXT.
  bool isReadOnly() const;
  /// Whether nothing may write it (cl_ext_immutable_memory_objects).
  bool isImmutable() const;
  std::size_t size() const { return size_; }
  /// The number of bytes from its beginning on that commands may touch: of an image without the gap behind the last
  /// row.
  std::size_t extent() const { return extent_; }
  /// The byte at `offset` as operations name it. In a context of several places only with the offset (counted from the
  /// start of the root): the allocation follows when a command that names it becomes ready.
  device::Location at(std::size_t offset) const { return {only_, origin_ + offset, nullptr}; }
  /// The same in one place. Allocates there at the first call: CL_MEM_OBJECT_ALLOCATION_FAILURE.
  device::Location at(std::size_t offset, Residency::Place place);
  /// Gives it addresses for kernels that do not change (cl_ext_buffer_device_address), before it is used.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  void fixAddresses();
  /// Whether the root has such addresses.
  bool hasFixedAddresses() const { return root().hasFixedAddresses_; }
  /// Its address for kernels on a device of the context; 0 if the device does not have the extension.
  std::uintptr_t addressFor(const Device&);
  /// The places where the root's content is valid; null where there is one place only, and for memory that is shared by
  /// address.
  Residency* residency() const { return root().residency_.get(); }
  /// CL_MEM_HOST_PTR: what was given with CL_MEM_USE_HOST_PTR, moved by the origin for what is part of another memory
  /// object; null otherwise.
  void* hostPtr() const { return hostPtr_; }
  /// The external memory that it was made of; null if there is none, and for parts of such memory objects.
  const ExternalMemory* external() const { return external_.get(); }
  /// For checks of kernels: what was written, and what never was.
  void setWritten(std::size_t offset, std::size_t bytes, bool isWritten);
  /// The memory object that it was made of: the buffer of a sub-buffer, the buffer or image of an image.
  Memory* parent() const { return parent_.get(); }
  /// Bytes from the start of the root, or of the memory that is shared by address.
  std::size_t origin() const { return origin_; }
  const std::vector<cl_mem_properties>& properties() const { return properties_; }
  /// A number that no other memory object of the process has or will have.
  std::uint64_t serial() const { return serial_; }
  /// The object whose memory this is: itself or the one that it was made of. Two memory objects may overlap if their
  /// roots are one.
  const Memory& root() const { return *root_; }
  Memory& root() { return *root_; }

  /// The address at which the first byte of a region is mapped (clEnqueueMapBuffer, clEnqueueMapImage): in the place of
  /// the host. Counts in mapCount(). CL_INVALID_OPERATION if it is mapped for writing and overlaps a region that is
  /// mapped for writing already, by this memory object or another one of the same root.
  void* map(const Rectangle& region, cl_map_flags flags);
  /// A region that was mapped.
  struct Mapped {
    Rectangle region;  ///< in the memory object
    bool forWriting = false;
  };
  /// Forgets one mapping that starts at `pointer` and returns it; nothing if there is none.
  std::optional<Mapped> unmap(const void* pointer);
  bool isMapped(const void* pointer) const;
  cl_uint mapCount() const;

  CallbackStack<cl_mem>& destructorCallbacks() { return destructorCallbacks_; }

private:
  /// A region that is mapped. The list of a root holds those of all that is made of it.
  struct Mapping {
    const Memory* owner;
    const std::byte* pointer;
    Rectangle region;  ///< in the root
    bool forWriting;
  };
  /// An allocation that a root is made with, for place 0 or, of memory that is shared by address, for all places.
  struct Given {
    std::unique_ptr<device::Allocation> allocation;
    bool isShared;
  };
  /// Memory of zeros in place 0. CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Given zeros(const Context& context, std::size_t bytes);
  /// A root.
  Memory(Context& context, cl_mem_flags flags, std::unique_ptr<const ImageDescription> image, std::size_t size,
         std::size_t extent, void* hostPtr, std::vector<cl_mem_properties> properties,
         std::unique_ptr<const ExternalMemory> external, Given given = {nullptr, false});
  /// A part of a parent.
  Memory(Memory& parent, cl_mem_flags flags, std::unique_ptr<const ImageDescription> image, std::size_t origin,
         std::size_t size, std::size_t extent, std::vector<cl_mem_properties> properties);
  device::Allocation& allocationIn(Residency::Place place);  ///< the allocation of a root

  Ref<Context> context_;
  RefPtr<Memory> parent_;
  Memory* root_;  ///< kept by the chain of parents
  std::unique_ptr<const ImageDescription> image_;
  std::optional<PipeDescription> pipe_;
  cl_mem_flags flags_;
  std::size_t size_, extent_;
  std::size_t origin_ = 0;
  void* hostPtr_ = nullptr;
  device::Allocation* only_ = nullptr;  ///< where one allocation is in all places
  bool hasFixedAddresses_ = false;
  std::uint64_t serial_;
  std::vector<cl_mem_properties> properties_;

  // The rest is empty in what has a parent: the root has it.
  RefPtr<Memory> shared_;  ///< whose allocation it uses, of what is made of memory that is shared by address
  std::unique_ptr<const ExternalMemory> external_;
  std::mutex allocationMutex_;
  std::vector<std::unique_ptr<device::Allocation>> allocations_;  ///< one for each place, null where not needed yet
  std::unique_ptr<Residency> residency_;
  mutable std::mutex mapMutex_;
  std::vector<Mapping> mappings_;
  CallbackStack<cl_mem> destructorCallbacks_;
};

}  // namespace clarity::core
