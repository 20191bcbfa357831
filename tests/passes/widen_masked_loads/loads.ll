; Masked loads of elements that the processor cannot mask: whole vectors, lane by lane at the end of a page.
; RUN: %clarity opt --processor x86-64-v3 --passes='widen-masked-loads' %s -o - | FileCheck %s
; RUN: %clarity opt --processor x86-64-v4 --passes='widen-masked-loads' %s -o - | FileCheck %s --check-prefix=REGISTERS
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define <32 x i8> @bytes
; CHECK: %[[SPARE:.*]] = alloca [32 x i8], align 32
; CHECK: %[[LANES:.*]] = bitcast <32 x i1> %mask to i32
; CHECK: %[[ANY:.*]] = icmp ne i32 %[[LANES]], 0
; CHECK: %[[AT:.*]] = select i1 %[[ANY]], ptr %p, ptr %
; CHECK: %[[IN:.*]] = and i64 %{{.*}}, 4095
; CHECK: %[[CROSSES:.*]] = icmp ugt i64 %[[IN]], 4064
; CHECK: br i1 %[[CROSSES]], {{.*}} !prof
; CHECK: lane:
; CHECK: %[[LEFT:.*]] = phi i32 [ %[[LANES]], {{.*}} ], [ %[[NEXT:.*]], %lane ]
; CHECK: %[[LANE:.*]] = call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK: load i8, ptr
; CHECK: store i8
; CHECK: %[[EACH:.*]] = load <32 x i8>
; CHECK: %[[WHOLE:.*]] = load <32 x i8>, ptr %[[AT]], align 1
; CHECK: %[[EITHER:.*]] = phi <32 x i8> [ %[[EACH]], {{.*}} ], [ %[[WHOLE]], {{.*}} ]
; CHECK: %v = select <32 x i1> %mask, <32 x i8> %[[EITHER]], <32 x i8> %other
; CHECK: ret <32 x i8> %v
; REGISTERS-LABEL: define <32 x i8> @bytes
; REGISTERS: masked.load
; REGISTERS-NOT: select
; REGISTERS: ret
define <32 x i8> @bytes(ptr %p, <32 x i1> %mask, <32 x i8> %other) {
  %v = call <32 x i8> @llvm.masked.load.v32i8.p0(ptr align 1 %p, <32 x i1> %mask, <32 x i8> %other)
  %w = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %p, <4 x i1> zeroinitializer, <4 x double> zeroinitializer)
  ret <32 x i8> %v
}

; A vector of 64 bytes; where it is aligned, it lies in one page.
; CHECK-LABEL: define <32 x i16> @aligned
; CHECK-NOT: br
; CHECK: %[[AT2:.*]] = select i1
; CHECK: %[[ALL:.*]] = load <32 x i16>, ptr addrspace(1) %[[AT2]]
; CHECK: select <32 x i1> %mask, <32 x i16> %[[ALL]], <32 x i16> zeroinitializer
define <32 x i16> @aligned(ptr addrspace(1) %p, <32 x i1> %mask) {
  %v = call <32 x i16> @llvm.masked.load.v32i16.p1(ptr addrspace(1) align 64 %p, <32 x i1> %mask, <32 x i16> zeroinitializer)
  ret <32 x i16> %v
}

; Floats are masked by an instruction.
; CHECK-LABEL: define <8 x float> @floats
; CHECK-NEXT: call <8 x float> @llvm.masked.load
define <8 x float> @floats(ptr %p, <8 x i1> %mask) {
  %v = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %p, <8 x i1> %mask, <8 x float> zeroinitializer)
  ret <8 x float> %v
}

; The load may be larger than its object, which alias analysis must not be told.
; CHECK-LABEL: define <16 x i8> @table
; CHECK: %[[HIDDEN:.*]] = call ptr asm "", "=r,0"(ptr
; CHECK: load <16 x i8>, ptr %[[HIDDEN]]
@small = private constant [5 x i8] c"abcde"
define <16 x i8> @table(i64 %i, <16 x i1> %mask) {
  %p = getelementptr i8, ptr @small, i64 %i
  %v = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %p, <16 x i1> %mask, <16 x i8> zeroinitializer)
  ret <16 x i8> %v
}
