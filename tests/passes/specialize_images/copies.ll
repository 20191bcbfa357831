; RUN: %clarity opt --passes='specialize-images<k;0=10B5:10D2:4;1=s22>' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='specialize-images<k>' %s -o - | FileCheck --check-prefix=UNKNOWN %s
; Functions of the library are copied for known formats and samplers, what is dead then goes, and they are inlined.
; Members of descriptors become parameters, one for each.

; UNKNOWN-LABEL: define void @k(ptr addrspace(2) dereferenceable(184) %image, i64 %sampler, ptr addrspace(1) %out, i32
; UNKNOWN-SAME: "clarity-image-member"="0:24" %image.width
; UNKNOWN: call i32 @_Z11read_imagef14ocl_image1d_ro11ocl_sampleri(ptr addrspace(2) %image, i64 %sampler, i32 7)

; CHECK-LABEL: define void @k(ptr addrspace(2) dereferenceable(184) %image, i64 %sampler, ptr addrspace(1) %out
; CHECK-SAME: ptr addrspace(1) noundef "clarity-image-member"="0:0" %image.texels
; CHECK-SAME: i32 noundef range(i32 1, 134217729) "clarity-image-member"="0:24" %image.width
; CHECK-NOT: call i32
; CHECK: load i32, ptr addrspace(1) %image.texels, align 1, !invariant.load
; CHECK-NOT: call i32
; CHECK: ret void
define void @k(ptr addrspace(2) dereferenceable(184) %image, i64 %sampler, ptr addrspace(1) %out) {
  %a = call i32 @_Z11read_imagef14ocl_image1d_ro11ocl_sampleri(ptr addrspace(2) %image, i64 %sampler, i32 7)
  %at = getelementptr i8, ptr addrspace(2) %image, i64 24
  %width = load i32, ptr addrspace(2) %at, align 8
  %again = load i32, ptr addrspace(2) %at, align 8
  %sum = add i32 %width, %again
  %b = add i32 %sum, %a
  store i32 %b, ptr addrspace(1) %out, align 4
  ret void
}

; Of a sampler that is not the shape's the function reads nothing.
define internal i32 @_Z11read_imagef14ocl_image1d_ro11ocl_sampleri(ptr addrspace(2) %image, i64 %sampler, i32 %x) noinline {
  %known = icmp eq i64 %sampler, 34
  br i1 %known, label %read, label %end

read:
  %c = call i32 @__clarity_image_load_f(ptr addrspace(2) %image)
  br label %end

end:
  %r = phi i32 [ 0, %0 ], [ %c, %read ]
  ret i32 %r
}

define internal i32 @__clarity_image_load_f(ptr addrspace(2) %image) noinline {
  %texels = load ptr addrspace(1), ptr addrspace(2) %image, align 8
  %at = getelementptr i8, ptr addrspace(2) %image, i64 44
  %type = load i32, ptr addrspace(2) %at, align 4
  switch i32 %type, label %other [ i32 4306, label %bytes
                                   i32 4304, label %signed ]

bytes:
  %word = load i32, ptr addrspace(1) %texels, align 1
  ret i32 %word

signed:
  %byte = load i8, ptr addrspace(1) %texels, align 1
  %extended = sext i8 %byte to i32
  ret i32 %extended

other:
  ret i32 -1
}
