; Divisions of integers in packets by the processor's estimate of a reciprocal (AVX-512), which is corrected to be too
; large by less than a quotient can miss the next whole number: of 32 bits in double, of 16 bits in float.
; RUN: %clarity opt --processor x86-64-v4 --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @ints
; CHECK: packet.entry:
; CHECK: %[[N:.*]] = uitofp <8 x i32> %{{.*}} to <8 x double>
; CHECK: %[[D:.*]] = uitofp <8 x i32> %{{.*}} to <8 x double>
; CHECK: %[[R:.*]] = call <8 x double> @__clarity_processor_reciprocal_f64_v8(<8 x double> %[[D]])
; CHECK: %[[NEGATED:.*]] = fneg <8 x double> %[[D]]
; CHECK: %[[E:.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> %[[NEGATED]], <8 x double> %[[R]], <8 x double> splat (double 0x3FF0000000004000))
; CHECK: %[[E2:.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> %[[E]], <8 x double> %[[E]], <8 x double> %[[E]])
; CHECK: %[[BETTER:.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> %[[R]], <8 x double> %[[E2]], <8 x double> %[[R]])
; CHECK: %[[Q:.*]] = fmul <8 x double> %[[N]], %[[BETTER]]
; CHECK: fptoui <8 x double> %[[Q]] to <8 x i32>
; CHECK-NOT: fdiv
define void @ints(ptr addrspace(1) %a, i32 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %quotient = udiv i32 %n, %v
  store i32 %quotient, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @shorts
; CHECK: packet.entry:
; CHECK: %[[N:.*]] = sitofp <8 x i16> %{{.*}} to <8 x float>
; CHECK: %[[D:.*]] = sitofp <8 x i16> %{{.*}} to <8 x float>
; CHECK: %[[R:.*]] = call <8 x float> @__clarity_processor_reciprocal_f32_v8(<8 x float> %[[D]])
; CHECK: call <8 x float> @llvm.fma.v8f32({{.*}}, <8 x float> splat (float 0x3FF0000200000000))
; CHECK: %[[Q:.*]] = fmul <8 x float> %[[N]], %
; CHECK: %[[WHOLE:.*]] = fptosi <8 x float> %[[Q]] to <8 x i16>
; CHECK: mul <8 x i16> %[[WHOLE]], %
; CHECK-NOT: fdiv
define void @shorts(ptr addrspace(1) %a, i16 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i16, ptr addrspace(1) %a, i64 %x
  %v = load i16, ptr addrspace(1) %p
  %rest = srem i16 %n, %v
  store i16 %rest, ptr addrspace(1) %p
  ret void
}
