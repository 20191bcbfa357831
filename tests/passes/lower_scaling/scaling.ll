; Products with powers of two: an instruction of AVX-512, or two products. Where the result is 0, the significand becomes
; 0, as a product that underflows is slow.
; RUN: %clarity opt --processor x86-64-v4 --passes='lower-scaling' %s -o - | FileCheck %s --check-prefix=INSTRUCTION
; RUN: %clarity opt --processor x86-64-v3 --passes='lower-scaling' %s -o - | FileCheck %s --check-prefix=PRODUCTS
target triple = "x86_64-unknown-linux-gnu"

; The exponent as a float is there already: it was rounded to an integer by adding 1.5 * 2^23.
; INSTRUCTION-LABEL: define <16 x float> @rounded
; INSTRUCTION: %[[ZERO:.*]] = fcmp ole <16 x float> %r, splat (float 0x4167FFED20000000)
; INSTRUCTION: %[[X:.*]] = select <16 x i1> %[[ZERO]], <16 x float> zeroinitializer, <16 x float> %x
; INSTRUCTION: %[[N:.*]] = fadd <16 x float> %r, splat (float 0xC168000000000000)
; INSTRUCTION: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %[[X]], <16 x float> %[[N]], <16 x float> %[[X]], i16 -1, i32 4)
; PRODUCTS-LABEL: define <16 x float> @rounded
; PRODUCTS: %n = add
; PRODUCTS: %[[ZERO:.*]] = fcmp ole <16 x float> %r, splat (float 0x4167FFED20000000)
; PRODUCTS: %[[X:.*]] = select <16 x i1> %[[ZERO]], <16 x float> zeroinitializer, <16 x float> %x
; PRODUCTS: %[[BITS:.*]] = bitcast <16 x float> %r to <16 x i32>
; PRODUCTS: %[[BOTH:.*]] = add <16 x i32> %[[BITS]], splat (i32 254)
; PRODUCTS: %[[LOWER:.*]] = lshr <16 x i32> %[[BOTH]], splat (i32 1)
; PRODUCTS: shl <16 x i32> %[[LOWER]], splat (i32 23)
; PRODUCTS: %[[FIRST:.*]] = fmul <16 x float> %[[X]], %
; PRODUCTS: %[[UPPER:.*]] = sub <16 x i32> %[[BOTH]], %[[LOWER]]
; PRODUCTS: shl <16 x i32> %[[UPPER]], splat (i32 23)
; PRODUCTS: fmul <16 x float> %[[FIRST]], %
define <16 x float> @rounded(<16 x float> %x, <16 x float> %r) {
  %bits = bitcast <16 x float> %r to <16 x i32>
  %n = add <16 x i32> %bits, splat (i32 -1262485504)
  %y = call <16 x float> @llvm.ldexp.v16f32.v16i32(<16 x float> %x, <16 x i32> %n)
  ret <16 x float> %y
}

; INSTRUCTION-LABEL: define <8 x float> @integer
; INSTRUCTION: %[[ZERO:.*]] = icmp sle <8 x i32> %n, splat (i32 -151)
; INSTRUCTION: %[[X:.*]] = select <8 x i1> %[[ZERO]], <8 x float> zeroinitializer, <8 x float> %x
; INSTRUCTION: %[[N:.*]] = sitofp <8 x i32> %n to <8 x float>
; INSTRUCTION: call <8 x float> @llvm.x86.avx512.mask.scalef.ps.256(<8 x float> %[[X]], <8 x float> %[[N]], <8 x float> %[[X]], i8 -1)
; PRODUCTS-LABEL: define <8 x float> @integer
; PRODUCTS-NOT: ldexp
; PRODUCTS: ret
define <8 x float> @integer(<8 x float> %x, <8 x i32> %n) {
  %y = call <8 x float> @llvm.ldexp.v8f32.v8i32(<8 x float> %x, <8 x i32> %n)
  ret <8 x float> %y
}

; One alone, of code that is not in packets.
; INSTRUCTION-LABEL: define float @alone
; INSTRUCTION: fmul float
; INSTRUCTION: fmul float
; INSTRUCTION: ret
define float @alone(float %x, i32 %n) {
  %y = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  ret float %y
}
