; RUN: %clarity opt --passes=lower-images %s -o - | FileCheck %s
; Images become pointers to their descriptors, samplers their bits, wherever they are: parameters, variables, phis,
; calls. A kernel's images are known to be descriptors.
target triple = "spir64-unknown-unknown"

declare spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), target("spirv.Sampler"), <2 x i32>)
declare spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32)

; CHECK-LABEL: define spir_func <4 x float> @through(ptr addrspace(2) %image, i64 %sampler, <2 x i32> %at)
define spir_func <4 x float> @through(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler, <2 x i32> %at) {
entry:
  ; CHECK: %place = alloca ptr addrspace(2)
  ; CHECK: %bits = alloca i64
  %place = alloca target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), align 8
  %bits = alloca target("spirv.Sampler"), align 8
  ; CHECK: store ptr addrspace(2) %image, ptr %place
  ; CHECK: store i64 %sampler, ptr %bits
  store target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, ptr %place, align 8
  store target("spirv.Sampler") %sampler, ptr %bits, align 8
  ; CHECK: [[IMAGE:%.*]] = load ptr addrspace(2), ptr %place
  ; CHECK: [[BITS:%.*]] = load i64, ptr %bits
  %a = load target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), ptr %place, align 8
  %b = load target("spirv.Sampler"), ptr %bits, align 8
  ; CHECK: call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(2) [[IMAGE]], i64 [[BITS]], <2 x i32> %at)
  %c = call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %a, target("spirv.Sampler") %b, <2 x i32> %at)
  ret <4 x float> %c
}

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-SAME: ptr addrspace(2) noalias nonnull readonly align 8 dereferenceable(184) %image, i64 %given, i1 %which
define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %given, i1 %which, ptr addrspace(1) %out) {
entry:
  ; CHECK-NOT: __translate_sampler_initializer
  %s = call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 18)
  br i1 %which, label %one, label %end

one:
  br label %end

end:
  ; CHECK: phi i64 [ 18, %entry ], [ %given, %one ]
  %sampler = phi target("spirv.Sampler") [ %s, %entry ], [ %given, %one ]
  %c = call spir_func <4 x float> @through(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler, <2 x i32> zeroinitializer)
  store <4 x float> %c, ptr addrspace(1) %out, align 16
  ret void
}

; CHECK-NOT: spirv.
