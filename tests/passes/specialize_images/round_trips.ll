; RUN: %clarity opt --passes='specialize-images<k>' %s -o - | FileCheck %s
; A byte that was read as a quotient of 255 is written as it was, also when its channels have changed places; what was
; computed with is rounded.
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)

; CHECK-LABEL: define void @k(
; CHECK: [[SWAPPED:%.*]] = shufflevector <4 x i32> %r,
; CHECK: store <4 x i32> [[SWAPPED]], ptr addrspace(1) %out
; CHECK: store <4 x i32> %y.bits, ptr addrspace(1) %out
define void @k(ptr addrspace(2) dereferenceable(184) %image, <4 x i32> %in, ptr addrspace(1) %out) {
  %r = and <4 x i32> %in, splat (i32 255)
  %f = uitofp <4 x i32> %r to <4 x float>
  %c = fmul <4 x float> %f, splat (float 0x3F70101020000000)
  %s = shufflevector <4 x float> %c, <4 x float> poison, <4 x i32> <i32 2, i32 1, i32 0, i32 3>
  %x.g = fcmp ogt <4 x float> %s, zeroinitializer
  %x.l = select <4 x i1> %x.g, <4 x float> %s, <4 x float> zeroinitializer
  %x.o = fcmp olt <4 x float> %x.l, splat (float 1.0)
  %x.c = select <4 x i1> %x.o, <4 x float> %x.l, <4 x float> splat (float 1.0)
  %x.s = call <4 x float> @llvm.fma.v4f32(<4 x float> %x.c, <4 x float> splat (float 255.0), <4 x float> splat (float 0x4168000000000000))
  %x.i = bitcast <4 x float> %x.s to <4 x i32>
  %x.bits = and <4 x i32> %x.i, splat (i32 4194303)
  store <4 x i32> %x.bits, ptr addrspace(1) %out, align 16
  %d = fadd <4 x float> %c, %s
  %y.g = fcmp ogt <4 x float> %d, zeroinitializer
  %y.l = select <4 x i1> %y.g, <4 x float> %d, <4 x float> zeroinitializer
  %y.o = fcmp olt <4 x float> %y.l, splat (float 1.0)
  %y.c = select <4 x i1> %y.o, <4 x float> %y.l, <4 x float> splat (float 1.0)
  %y.s = call <4 x float> @llvm.fma.v4f32(<4 x float> %y.c, <4 x float> splat (float 255.0), <4 x float> splat (float 0x4168000000000000))
  %y.i = bitcast <4 x float> %y.s to <4 x i32>
  %y.bits = and <4 x i32> %y.i, splat (i32 4194303)
  store <4 x i32> %y.bits, ptr addrspace(1) %out, align 16
  ret void
}
