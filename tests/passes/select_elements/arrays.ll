; Small private arrays whose indices are known at run time only become values, and accesses select among them.
; RUN: %clarity opt --passes=select-elements %s -o - | FileCheck %s --check-prefixes=CHECK,PACKETS
; RUN: %clarity opt --passes='select-elements<threads>' %s -o - | FileCheck %s --check-prefixes=CHECK,THREADS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; A list of nearest distances: the place depends on what is found.
; CHECK-LABEL: define void @nearest
; CHECK-NOT: alloca
; CHECK: [[is1:%.*]] = icmp eq i32 %place, 1
; CHECK: [[up1:%.*]] = select i1 [[is1]], float 2.000000e+00, float 1.000000e+00
; CHECK: [[is2:%.*]] = icmp eq i32 %place, 2
; CHECK: [[old:%.*]] = select i1 [[is2]], float 3.000000e+00, float [[up1]]
; CHECK: store float [[old]], ptr addrspace(1) %a
; CHECK: [[at0:%.*]] = icmp eq i32 %place, 0
; CHECK: [[new0:%.*]] = select i1 [[at0]], float %d, float 1.000000e+00
; CHECK: [[at1:%.*]] = icmp eq i32 %place, 1
; CHECK: select i1 [[at1]], float %d, float 2.000000e+00
; CHECK: store float [[new0]], ptr addrspace(1) %a
; CHECK: ret void
define void @nearest(ptr addrspace(1) %a, ptr addrspace(1) %places, float %d) {
  %list = alloca [3 x float]
  call void @llvm.lifetime.start.p0(ptr %list)
  store float 1.0, ptr %list
  %second = getelementptr i8, ptr %list, i64 4
  store float 2.0, ptr %second
  %third = getelementptr i8, ptr %list, i64 8
  store float 3.0, ptr %third
  %id = call i64 @__clarity_global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %places, i64 %id
  %place = load i32, ptr addrspace(1) %from
  %wide = sext i32 %place to i64
  %element = getelementptr float, ptr %list, i64 %wide
  %old = load float, ptr %element
  store float %old, ptr addrspace(1) %a
  store float %d, ptr %element
  %new = load float, ptr %list
  store float %new, ptr addrspace(1) %a
  call void @llvm.lifetime.end.p0(ptr %list)
  ret void
}

; Members of structures in an array: an index reaches every second word. The fill is a zero for each.
; CHECK-LABEL: define void @members
; CHECK-NOT: alloca
; CHECK-NOT: memset
; CHECK: [[is:%.*]] = icmp eq i32 %place, 1
; CHECK: select i1 [[is]], i32 7, i32 0
; CHECK-NOT: select
; CHECK: ret void
define void @members(ptr addrspace(1) %a, ptr addrspace(1) %places) {
  %pairs = alloca [2 x { i32, float }]
  call void @llvm.memset.p0.i64(ptr %pairs, i8 0, i64 16, i1 false)
  %first = getelementptr i8, ptr %pairs, i64 8
  store i32 7, ptr %first
  %float = getelementptr i8, ptr %pairs, i64 12
  store float 1.0, ptr %float
  %id = call i64 @__clarity_global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %places, i64 %id
  %place = load i32, ptr addrspace(1) %from
  %wide = zext i32 %place to i64
  %element = getelementptr { i32, float }, ptr %pairs, i64 %wide
  %v = load i32, ptr %element
  store i32 %v, ptr addrspace(1) %a
  ret void
}

; Work-items of a packet that have the index in common load a vector of their elements: four selections take longer.
; CHECK-LABEL: define void @common
; PACKETS: alloca [4 x float]
; THREADS-NOT: alloca
; CHECK: ret void
define void @common(ptr addrspace(1) %a, i64 %place, float %v) {
  %list = alloca [4 x float]
  call void @llvm.memset.p0.i64(ptr %list, i8 0, i64 16, i1 false)
  %element = getelementptr float, ptr %list, i64 %place
  store float %v, ptr %element
  %w = load float, ptr %list
  store float %w, ptr addrspace(1) %a
  ret void
}

; An array that is copied from constants and to other memory.
; CHECK-LABEL: define void @copied
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: load i32, ptr @values, align 8
; CHECK: load i32, ptr getelementptr (i8, ptr @values, i64 4), align 4
; CHECK: select
; CHECK: [[to:%.*]] = getelementptr i8, ptr addrspace(1) %a, i64 4
; CHECK: store i32 {{.*}}, ptr addrspace(1) [[to]], align 4
; CHECK: ret void
@values = private constant [2 x i32] [i32 3, i32 4], align 8
define void @copied(ptr addrspace(1) %a) {
  %list = alloca [2 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %list, ptr align 8 @values, i64 8, i1 false)
  %id = call i64 @__clarity_global_id(i32 0)
  %element = getelementptr i32, ptr %list, i64 %id
  store i32 7, ptr %element
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %a, ptr align 4 %list, i64 8, i1 false)
  ret void
}

; An index that is an element of the same array.
; CHECK-LABEL: define void @chained
; CHECK-NOT: alloca
; CHECK: [[first:%.*]] = select i1 {{.*}}, i32 1, i32 0
; CHECK: [[is:%.*]] = icmp eq i32 [[first]], 1
; CHECK: select i1 [[is]], i32 1, i32 0
define void @chained(ptr addrspace(1) %a) {
  %list = alloca [2 x i32]
  store i32 0, ptr %list
  %second = getelementptr i8, ptr %list, i64 4
  store i32 1, ptr %second
  %id = call i64 @__clarity_global_id(i32 0)
  %element = getelementptr i32, ptr %list, i64 %id
  %i = load i32, ptr %element
  %wide = sext i32 %i to i64
  %next = getelementptr i32, ptr %list, i64 %wide
  %v = load i32, ptr %next
  store i32 %v, ptr addrspace(1) %a
  ret void
}

; Steps that 32 bits do not hold mean the same element, or none.
; CHECK-LABEL: define void @far
; CHECK-NOT: alloca
; CHECK: icmp eq i32 {{.*}}, 0
; CHECK: ret void
define void @far(ptr addrspace(1) %a) {
  %list = alloca [2 x i32]
  store i32 7, ptr %list
  %second = getelementptr i8, ptr %list, i64 4
  store i32 8, ptr %second
  %id = call i64 @__clarity_global_id(i32 0)
  %row = getelementptr [4294967296 x i32], ptr %list, i64 %id
  %at = getelementptr i8, ptr %row, i64 4
  store i32 5, ptr %at
  %v = load i32, ptr %second
  store i32 %v, ptr addrspace(1) %a
  ret void
}

; Elements as vectors: a component that is chosen, and a vector among several.
; CHECK-LABEL: define void @components
; CHECK-NOT: alloca
; CHECK: [[one:%.*]] = extractelement <2 x float> %v, i64 1
; CHECK: select i1 {{.*}}, float [[one]], float
; CHECK: insertelement <2 x float>
; CHECK: store <2 x float>
define void @components(ptr addrspace(1) %a, <2 x float> %v) {
  %list = alloca [2 x <2 x float>]
  store <2 x float> %v, ptr %list
  %second = getelementptr i8, ptr %list, i64 8
  store <2 x float> %v, ptr %second
  %id = call i64 @__clarity_global_id(i32 0)
  %component = getelementptr float, ptr %list, i64 %id
  %f = load float, ptr %component
  store float %f, ptr addrspace(1) %a
  %element = getelementptr <2 x float>, ptr %list, i64 %id
  %w = load <2 x float>, ptr %element
  store <2 x float> %w, ptr addrspace(1) %a
  ret void
}

; An address that escapes, bytes of an element, too many elements: they stay in memory.
; CHECK-LABEL: define void @escapes
; CHECK: alloca [2 x float]
declare void @use(ptr)
define void @escapes(ptr addrspace(1) %places, float %v) {
  %list = alloca [2 x float]
  %id = call i64 @__clarity_global_id(i32 0)
  %element = getelementptr float, ptr %list, i64 %id
  store float %v, ptr %element
  call void @use(ptr %list)
  ret void
}
; CHECK-LABEL: define void @parts
; CHECK: alloca [2 x i32]
define void @parts(ptr addrspace(1) %a, i8 %v) {
  %list = alloca [2 x i32]
  %id = call i64 @__clarity_global_id(i32 0)
  %element = getelementptr i8, ptr %list, i64 %id
  store i8 %v, ptr %element
  %w = load i32, ptr %list
  store i32 %w, ptr addrspace(1) %a
  ret void
}
; CHECK-LABEL: define void @many
; CHECK: alloca [64 x float]
define void @many(ptr addrspace(1) %a, float %v) {
  %list = alloca [64 x float]
  %id = call i64 @__clarity_global_id(i32 0)
  %element = getelementptr float, ptr %list, i64 %id
  store float %v, ptr %element
  %w = load float, ptr %list
  store float %w, ptr addrspace(1) %a
  ret void
}
; CHECK-LABEL: define void @volatile
; CHECK: alloca [2 x float]
define void @volatile(ptr addrspace(1) %a, float %v) {
  %list = alloca [2 x float]
  %id = call i64 @__clarity_global_id(i32 0)
  %element = getelementptr float, ptr %list, i64 %id
  store volatile float %v, ptr %element
  %w = load float, ptr %list
  store float %w, ptr addrspace(1) %a
  ret void
}
