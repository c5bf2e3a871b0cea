; Functions as NVIDIA's library computes them: the steps that its compiler's code has, so that the estimate counts these and
; not those of AMD's library. What the steps are was read off an H200 (traces/measured/README.md, functions); coefficients
; and texts are this project's. nvidia.c says which take whose place; what is named .relaxed is for -cl-fast-relaxed-math.
; Errors are below OpenCL's limits (frontend/retarget/ulp.def).

declare float @llvm.copysign.f32(float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minimum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.rint.f32(float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.amdgcn.ldexp.f32(float, i32)
declare float @llvm.amdgcn.rcp.f32(float)
declare float @llvm.amdgcn.rsq.f32(float)
declare double @llvm.amdgcn.rsq.f64(double)
declare float @__ocml_native_cos_f32(float)
declare float @__ocml_native_exp2_f32(float)
declare float @__ocml_native_log2_f32(float)
declare float @__ocml_native_sin_f32(float)
declare float @__ocml_cos_f32(float)
declare float @__ocml_pown_f32(float, i32)
declare float @__ocml_sin_f32(float)
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.trunc.f64(double)
declare double @__ocml_pow_f64(double, double)
declare double @__ocml_powr_f64(double, double)
declare <2 x float> @_Z9normalizeDv2_f(<2 x float>)
declare <3 x float> @_Z9normalizeDv3_f(<3 x float>)
declare <4 x float> @_Z9normalizeDv4_f(<4 x float>)

declare i64 @__ockl_get_global_offset(i32)
declare i64 @__ockl_get_enqueued_local_size(i32)
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.z()

; ---- work-items: sums of 64 bits, of parts that are extended by their sign; how large they are is not said ----

define i64 @nvidia.local_id(i32 %d) alwaysinline nounwind {
	switch i32 %d, label %none [i32 0, label %x i32 1, label %y i32 2, label %z]
x:
	%ix = call i32 @llvm.amdgcn.workitem.id.x()
	%rx = sext i32 %ix to i64
	ret i64 %rx
y:
	%iy = call i32 @llvm.amdgcn.workitem.id.y()
	%ry = sext i32 %iy to i64
	ret i64 %ry
z:
	%iz = call i32 @llvm.amdgcn.workitem.id.z()
	%rz = sext i32 %iz to i64
	ret i64 %rz
none:
	ret i64 0
}

define i64 @nvidia.group_id(i32 %d) alwaysinline nounwind {
	switch i32 %d, label %none [i32 0, label %x i32 1, label %y i32 2, label %z]
x:
	%ix = call i32 @llvm.amdgcn.workgroup.id.x()
	%rx = sext i32 %ix to i64
	ret i64 %rx
y:
	%iy = call i32 @llvm.amdgcn.workgroup.id.y()
	%ry = sext i32 %iy to i64
	ret i64 %ry
z:
	%iz = call i32 @llvm.amdgcn.workgroup.id.z()
	%rz = sext i32 %iz to i64
	ret i64 %rz
none:
	ret i64 0
}

define i64 @nvidia.global_id(i32 %d) alwaysinline nounwind {
	%local = call i64 @nvidia.local_id(i32 %d)
	%offset = call i64 @__ockl_get_global_offset(i32 %d)
	%first = add i64 %local, %offset
	%group = call i64 @nvidia.group_id(i32 %d)
	%size = call i64 @__ockl_get_enqueued_local_size(i32 %d)
	%before = mul i64 %size, %group
	%r = add i64 %first, %before
	ret i64 %r
}

; ---- products of 24 bits ----

; Its compiler does not compute them, even of constants: no array that they index goes into registers (pipeline.c).
define i32 @nvidia.mul24(i32 %x, i32 %y) nounwind readnone willreturn speculatable {
	%r = mul i32 %x, %y
	ret i32 %r
}

define i32 @nvidia.mad24(i32 %x, i32 %y, i32 %z) nounwind readnone willreturn speculatable {
	%p = mul i32 %x, %y
	%r = add i32 %p, %z
	ret i32 %r
}

; ---- powers ----

; 2 to the power of x * (high + low). The sum with 1.5 * 2^23 has the nearest integer in its lowest bits; `from`: the bits of
; 1.5 * 2^23, 1 more for half of the result.
define float @nvidia.power(float %x, float %high, float %low, i32 %from) alwaysinline {
	%n = call float @llvm.fma.f32(float %x, float %high, float 0x4168000000000000)
	%whole = fsub float %n, 0x4168000000000000
	%minus = fneg float %whole
	%a = call float @llvm.fma.f32(float %x, float %high, float %minus)
	%part = call float @llvm.fma.f32(float %x, float %low, float %a)
	%y = call float @__ocml_native_exp2_f32(float %part)
	%bits = bitcast float %n to i32
	%exponent = sub i32 %bits, %from
	%r = call float @llvm.amdgcn.ldexp.f32(float %y, i32 %exponent)
	ret float %r
}

; Beyond -104 and 89 the result is 0 and infinite.
define float @nvidia.exp(float %x) {
	%a = call float @llvm.maximum.f32(float %x, float -104.0)
	%b = call float @llvm.minimum.f32(float %a, float 89.0)
	%r = call float @nvidia.power(float %b, float 0x3FF7154760000000, float 0x3E54AE0C00000000, i32 1262485504)
	ret float %r
}

define float @nvidia.exp10(float %x) {
	%a = call float @llvm.maximum.f32(float %x, float -46.0)
	%b = call float @llvm.minimum.f32(float %a, float 39.0)
	%r = call float @nvidia.power(float %b, float 0x400A934F00000000, float 0x3E72F346E0000000, i32 1262485504)
	ret float %r
}

; A half of e to the power of |x|.
define float @nvidia.half_exp(float %x) alwaysinline {
	%a = call float @llvm.fabs.f32(float %x)
	%b = call float @llvm.minimum.f32(float %a, float 90.0)
	%r = call float @nvidia.power(float %b, float 0x3FF7154760000000, float 0x3E54AE0C00000000, i32 1262485505)
	ret float %r
}

define float @nvidia.cosh(float %x) {
	%h = call float @nvidia.half_exp(float %x)
	%over = call float @llvm.amdgcn.rcp.f32(float %h)
	%r = call float @llvm.fma.f32(float %over, float 0.25, float %h)
	ret float %r
}

define float @nvidia.sinh(float %x) {
	%a = call float @llvm.fabs.f32(float %x)
	%near = fcmp olt float %a, 1.0
	br i1 %near, label %small, label %large
small:
	%s = fmul float %x, %x
	%p2 = call float @llvm.fma.f32(float %s, float 0x3EC7A15B60000000, float 0x3F29FFE920000000)
	%p1 = call float @llvm.fma.f32(float %s, float %p2, float 0x3F81111340000000)
	%p0 = call float @llvm.fma.f32(float %s, float %p1, float 0x3FC5555560000000)
	%sp = fmul float %s, %p0
	%p = call float @llvm.fma.f32(float %x, float %sp, float %x)
	ret float %p
large:
	%h = call float @nvidia.half_exp(float %x)
	%over = call float @llvm.amdgcn.rcp.f32(float %h)
	%y = call float @llvm.fma.f32(float %over, float -0.25, float %h)
	%r = call float @llvm.copysign.f32(float %y, float %x)
	ret float %r
}

define float @nvidia.tanh(float %x) {
	%a = call float @llvm.fabs.f32(float %x)
	%near = fcmp olt float %a, 0x3FE3333340000000
	br i1 %near, label %small, label %large
small:
	%s = fmul float %x, %x
	%p2 = call float @llvm.fma.f32(float %s, float 0x3F8FF98140000000, float 0xBFAABB8100000000)
	%p1 = call float @llvm.fma.f32(float %s, float %p2, float 0x3FC10A7120000000)
	%p0 = call float @llvm.fma.f32(float %s, float %p1, float 0xBFD5553680000000)
	%sp = fmul float %s, %p0
	%p = call float @llvm.fma.f32(float %x, float %sp, float %x)
	ret float %p
large:
	%twice = fmul float %a, 0x4007154760000000
	%e = call float @__ocml_native_exp2_f32(float %twice)
	%one = fadd float %e, 1.0
	%over = call float @llvm.amdgcn.rcp.f32(float %one)
	%y = call float @llvm.fma.f32(float %over, float -2.0, float 1.0)
	%r = call float @llvm.copysign.f32(float %y, float %x)
	ret float %r
}

; ---- native functions: their instructions take no subnormal numbers, so these are made larger before, and the results
; smaller after. With -cl-denorms-are-zero or -cl-fast-relaxed-math native_exp2 and native_log2 alone do so. ----

define float @nvidia.native.exp2(float %x) {
	%far = fcmp olt float %x, -126.0
	%half = fmul float %x, 0.5
	%v = select i1 %far, float %half, float %x
	%y = call float @__ocml_native_exp2_f32(float %v)
	%square = fmul float %y, %y
	%r = select i1 %far, float %square, float %y
	ret float %r
}

define float @nvidia.native.exp(float %x) {
	%v = fmul float %x, 0x3FF7154760000000
	%r = call float @nvidia.native.exp2(float %v)
	ret float %r
}

define float @nvidia.native.exp10(float %x) {
	%v = fmul float %x, 0x400A934F00000000
	%r = call float @nvidia.native.exp2(float %v)
	ret float %r
}

define float @nvidia.native.log2(float %x) {
	%size = call float @llvm.fabs.f32(float %x)
	%small = fcmp olt float %size, 0x3810000000000000
	%up = fmul float %x, 0x4170000000000000
	%v = select i1 %small, float %up, float %x
	%y = call float @__ocml_native_log2_f32(float %v)
	%down = fadd float %y, -24.0
	%r = select i1 %small, float %down, float %y
	ret float %r
}

define float @nvidia.native.log(float %x) {
	%y = call float @nvidia.native.log2(float %x)
	%r = fmul float %y, 0x3FE62E4300000000
	ret float %r
}

define float @nvidia.native.log10(float %x) {
	%y = call float @nvidia.native.log2(float %x)
	%r = fmul float %y, 0x3FD3441360000000
	ret float %r
}

; Its own instruction, at the price of the steps around it (cost_ops.c).
define float @nvidia.rsqrt(float %x) {
	%r = call float @llvm.amdgcn.rsq.f32(float %x)
	ret float %r
}

define float @nvidia.native.recip(float %x) {
	%size = call float @llvm.fabs.f32(float %x)
	%small = fcmp olt float %size, 0x3810000000000000
	%by = select i1 %small, float 0x4170000000000000, float 1.0
	%v = fmul float %x, %by
	%y = call float @llvm.amdgcn.rcp.f32(float %v)
	%r = fmul float %y, %by
	ret float %r
}

define float @nvidia.native.divide(float %x, float %y) {
	%size = call float @llvm.fabs.f32(float %y)
	%small = fcmp olt float %size, 0x3810000000000000
	%by = select i1 %small, float 0x4170000000000000, float 1.0
	%v = fmul float %y, %by
	%u = fmul float %x, %by
	%over = call float @llvm.amdgcn.rcp.f32(float %v)
	%r = fmul float %u, %over
	ret float %r
}

define float @nvidia.powr.relaxed(float %x, float %y) {
	%log = call float @nvidia.native.log2(float %x)
	%by = fmul float %log, %y
	%r = call float @nvidia.native.exp2(float %by)
	ret float %r
}

; ---- logarithms: x = m * 2^e, and a polynomial of m - 1 ----

; x, of which subnormal numbers are 2^23 times as large.
define float @nvidia.normal_of(float %x) alwaysinline {
	%small = fcmp olt float %x, 0x3810000000000000
	%up = fmul float %x, 0x4160000000000000
	%v = select i1 %small, float %up, float %x
	ret float %v
}

; The bits of 2^e of a v from normal_of(x) whose m begins at `least`, as an integer.
define i32 @nvidia.exponent_of(float %v, float %least) alwaysinline {
	%bits = bitcast float %v to i32
	%begin = bitcast float %least to i32
	%from = sub i32 %bits, %begin
	%exponent = and i32 %from, -8388608
	ret i32 %exponent
}

; m - 1.
define float @nvidia.fraction_of(float %v, i32 %exponent) alwaysinline {
	%bits = bitcast float %v to i32
	%mbits = sub i32 %bits, %exponent
	%m = bitcast i32 %mbits to float
	%f = fadd float %m, -1.0
	ret float %f
}

; e, of x.
define float @nvidia.whole_of(float %x, i32 %exponent) alwaysinline {
	%small = fcmp olt float %x, 0x3810000000000000
	%less = select i1 %small, float -23.0, float 0.0
	%e = sitofp i32 %exponent to float
	%whole = call float @llvm.fma.f32(float %e, float 0x3E80000000000000, float %less)
	ret float %whole
}

; The logarithm of v, or what it is of an infinite, negative or NaN one and of 0.
define float @nvidia.log_or_end(float %v, float %log) alwaysinline {
	%bits = bitcast float %v to i32
	%other = icmp uge i32 %bits, 2139095040
	%odd = call float @llvm.fma.f32(float %v, float 0x7FF0000000000000, float 0x7FF0000000000000)
	%r = select i1 %other, float %odd, float %log
	%zero = fcmp oeq float %v, 0.0
	%all = select i1 %zero, float 0xFFF0000000000000, float %r
	ret float %all
}

; m from sqrt(1/2) to sqrt(2).
define float @nvidia.log2(float %x) {
	%v = call float @nvidia.normal_of(float %x)
	%exponent = call i32 @nvidia.exponent_of(float %v, float 0x3FE6A09E60000000)
	%f = call float @nvidia.fraction_of(float %v, i32 %exponent)
	%whole = call float @nvidia.whole_of(float %x, i32 %exponent)
	%p8 = call float @llvm.fma.f32(float %f, float 0x3FB8D63E20000000, float 0xBFC58FB560000000)
	%p7 = call float @llvm.fma.f32(float %f, float %p8, float 0x3FC5FA1A00000000)
	%p6 = call float @llvm.fma.f32(float %f, float %p7, float 0xBFC6E97C00000000)
	%p5 = call float @llvm.fma.f32(float %f, float %p6, float 0x3FCA414C60000000)
	%p4 = call float @llvm.fma.f32(float %f, float %p5, float 0xBFCEC78560000000)
	%p3 = call float @llvm.fma.f32(float %f, float %p4, float 0x3FD277F2A0000000)
	%p2 = call float @llvm.fma.f32(float %f, float %p3, float 0xBFD7154900000000)
	%p1 = call float @llvm.fma.f32(float %f, float %p2, float 0x3FDEC70880000000)
	%p0 = call float @llvm.fma.f32(float %f, float %p1, float 0xBFE7154760000000)
	%q1 = fmul float %f, %p0
	%q = fmul float %f, %q1
	%part = call float @llvm.fma.f32(float %f, float 0x3FF7154760000000, float %q)
	%log = fadd float %whole, %part
	%r = call float @nvidia.log_or_end(float %v, float %log)
	ret float %r
}

; ln(1 + f) + e * ln(2), f from -1/3 to 1/3.
define float @nvidia.log_of(float %f, float %e) alwaysinline {
	%p7 = call float @llvm.fma.f32(float %f, float 0xBFC0931280000000, float 0x3FC1ED14C0000000)
	%p6 = call float @llvm.fma.f32(float %f, float %p7, float 0xBFBF25E320000000)
	%p5 = call float @llvm.fma.f32(float %f, float %p6, float 0x3FC1EBE660000000)
	%p4 = call float @llvm.fma.f32(float %f, float %p5, float 0xBFC55A7500000000)
	%p3 = call float @llvm.fma.f32(float %f, float %p4, float 0x3FC99D1F20000000)
	%p2 = call float @llvm.fma.f32(float %f, float %p3, float 0xBFCFFFE840000000)
	%p1 = call float @llvm.fma.f32(float %f, float %p2, float 0x3FD5555020000000)
	%p0 = call float @llvm.fma.f32(float %f, float %p1, float -0.5)
	%q = fmul float %f, %p0
	%part = call float @llvm.fma.f32(float %f, float %q, float %f)
	%log = call float @llvm.fma.f32(float %e, float 0x3FE62E4300000000, float %part)
	ret float %log
}

; m from 2/3 to 4/3.
define float @nvidia.log(float %x) {
	%v = call float @nvidia.normal_of(float %x)
	%exponent = call i32 @nvidia.exponent_of(float %v, float 0x3FE5555560000000)
	%f = call float @nvidia.fraction_of(float %v, i32 %exponent)
	%whole = call float @nvidia.whole_of(float %x, i32 %exponent)
	%log = call float @nvidia.log_of(float %f, float %whole)
	%r = call float @nvidia.log_or_end(float %v, float %log)
	ret float %r
}

define float @nvidia.log10(float %x) {
	%log = call float @nvidia.log(float %x)
	%r = fmul float %log, 0x3FDBCB7B20000000
	ret float %r
}

; 1 + x = m * 2^e: m - 1 is x * 2^-e and 2^-e - 1, without what 1 + x loses.
define float @nvidia.log1p(float %x) {
	%v = fadd float %x, 1.0
	%exponent = call i32 @nvidia.exponent_of(float %v, float 0x3FE5555560000000)
	%xbits = bitcast float %x to i32
	%partbits = sub i32 %xbits, %exponent
	%part = bitcast i32 %partbits to float
	%sbits = sub i32 1082130432, %exponent ; 4 * 2^-e, which is no subnormal number
	%scale = bitcast i32 %sbits to float
	%less = call float @llvm.fma.f32(float %scale, float 0.25, float -1.0)
	%f = fadd float %part, %less
	%e = sitofp i32 %exponent to float
	%whole = fmul float %e, 0x3E80000000000000
	%log = call float @nvidia.log_of(float %f, float %whole)
	%r = call float @nvidia.log_or_end(float %v, float %log)
	%none = fcmp oeq float %x, 0.0
	%all = select i1 %none, float %x, float %r
	ret float %all
}

; ---- powers of any base ----

; |x| to the power of y, both finite: the logarithm in two parts, high and low, from t = 2 (m - 1) / (m + 1), x = m * 2^e; its
; product with y in two parts; 2 to the power of its whole part and of the rest.
define float @nvidia.power_of(float %x, float %y) alwaysinline {
	%ax = call float @llvm.fabs.f32(float %x)
	%small = fcmp olt float %ax, 0x3810000000000000
	%up = fmul float %ax, 0x4170000000000000
	%v = select i1 %small, float %up, float %ax
	%less = select i1 %small, float -151.0, float -127.0
	%bits = bitcast float %v to i32
	%fraction = and i32 %bits, 8388607
	%mbits = or i32 %fraction, 1065353216
	%m1 = bitcast i32 %mbits to float
	%large = fcmp ogt float %m1, 0x3FF6A09E60000000
	%m2 = fmul float %m1, 0.5
	%m = select i1 %large, float %m2, float %m1
	%shifted = lshr i32 %bits, 23
	%e1 = uitofp i32 %shifted to float
	%e2 = fadd float %e1, %less
	%e3 = fadd float %e2, 1.0
	%e = select i1 %large, float %e3, float %e2

	%u = fadd float %m, 1.0
	%w = fadd float %m, -1.0
	%over = call float @llvm.amdgcn.rcp.f32(float %u)
	%w2 = fadd float %w, %w
	%t = fmul float %w2, %over
	%s = fmul float %t, %t
	%minus = fneg float %t
	%d1 = fsub float %w, %t
	%d2 = fadd float %d1, %d1
	%d3 = call float @llvm.fma.f32(float %w, float %minus, float %d2)
	%tlow = fmul float %over, %d3
	%p1 = call float @llvm.fma.f32(float %s, float 0x3F631E0E20000000, float 0x3F8995ED00000000)
	%p0 = call float @llvm.fma.f32(float %s, float %p1, float 0x3FB55557A0000000)
	%q = fmul float %s, %p0
	%p = fmul float %t, %q
	%h = fadd float %t, %p
	%r1 = fsub float %t, %h
	%r2 = fadd float %r1, %p
	%low1 = fadd float %tlow, %r2

	%high = fmul float %e, 0x3FE62E4000000000
	%rest = fmul float %e, 0x3EB7F7D1C0000000
	%h1 = fadd float %h, %low1
	%sum = fadd float %high, %h1
	%a1 = fsub float %h, %h1
	%a2 = fadd float %a1, %low1
	%b1 = fsub float %high, %sum
	%b2 = fadd float %b1, %h1
	%c1 = fadd float %a2, %b2
	%c2 = fadd float %rest, %c1
	%log = fadd float %sum, %c2
	%log1 = fsub float %sum, %log
	%loglow = fadd float %c2, %log1

	%ay = call float @llvm.fabs.f32(float %y)
	%vast = fcmp ogt float %ay, 0x46FED09BE0000000
	%y1 = fmul float %y, 0x3F20000000000000
	%yy = select i1 %vast, float %y1, float %y
	%prod = fmul float %log, %yy
	%nprod = fneg float %prod
	%f1 = call float @llvm.fma.f32(float %log, float %yy, float %nprod)
	%f2 = call float @llvm.fma.f32(float %loglow, float %yy, float %f1)
	%g = fadd float %prod, %f2
	%g1 = fsub float %prod, %g
	%glow = fadd float %f2, %g1

	%scaled = fmul float %g, 0x3FF7154760000000
	%n0 = call float @llvm.trunc.f32(float %scaled)
	%n1 = call float @llvm.maxnum.f32(float %n0, float -126.0)
	%n = call float @llvm.minnum.f32(float %n1, float 126.0)
	%nn = fneg float %n
	%k1 = call float @llvm.fma.f32(float %nn, float 0x3FE62E4300000000, float %g)
	%k2 = call float @llvm.fma.f32(float %nn, float 0xBE205C6100000000, float %k1)
	%k3 = fmul float %k2, 0x3FF7154760000000
	%y2 = call float @__ocml_native_exp2_f32(float %k3)
	%ni = fadd float %n, 0x4168000FE0000000
	%nbits = bitcast float %ni to i32
	%twos = shl i32 %nbits, 23
	%two = bitcast i32 %twos to float
	%z = fmul float %y2, %two
	%exact = call float @llvm.fma.f32(float %glow, float %z, float %z)
	%infinite = fcmp oeq float %z, 0x7FF0000000000000
	%r = select i1 %infinite, float %z, float %exact
	ret float %r
}

; Of 0 or something infinite, or to the power of something infinite: 0, infinite, or 1 where nothing grows; of an odd
; power with the sign of x.
define float @nvidia.limit_of_power(float %x, float %y, i1 %odd) alwaysinline {
	%ax = call float @llvm.fabs.f32(float %x)
	%large = fcmp ogt float %ax, 1.0
	%up = fcmp ogt float %y, 0.0
	%falls = xor i1 %large, %up
	%end = select i1 %falls, float 0.0, float 0x7FF0000000000000
	%stays = fcmp oeq float %ax, 1.0
	%size = select i1 %stays, float 1.0, float %end
	%signed = call float @llvm.copysign.f32(float %size, float %x)
	%r = select i1 %odd, float %signed, float %size
	ret float %r
}

define float @nvidia.pow(float %x, float %y) {
	%half = fmul float %y, 0.5
	%whole = call float @llvm.trunc.f32(float %half)
	%even = fadd float %whole, %whole
	%left = fsub float %y, %even
	%over = call float @llvm.fabs.f32(float %left)
	%odd = fcmp oeq float %over, 1.0
	%ax = call float @llvm.fabs.f32(float %x)
	%ay = call float @llvm.fabs.f32(float %y)
	%sum = fadd float %ax, %ay
	%finite = fcmp olt float %sum, 0x7FF0000000000000
	%other = fcmp one float %x, 0.0
	%is = and i1 %finite, %other
	br i1 %is, label %plain, label %special
plain:
	%p = call float @nvidia.power_of(float %x, float %y)
	%below = fcmp olt float %x, 0.0
	br i1 %below, label %negative, label %end
negative:
	%n = fneg float %p
	%signed = select i1 %odd, float %n, float %p
	%cut = call float @llvm.trunc.f32(float %y)
	%integer = fcmp oeq float %cut, %y
	%m = select i1 %integer, float %signed, float 0x7FF8000000000000
	br label %end
special:
	%l = call float @nvidia.limit_of_power(float %x, float %y, i1 %odd)
	%no = fcmp uno float %x, %y
	%s = select i1 %no, float 0x7FF8000000000000, float %l
	br label %end
end:
	%a = phi float [%p, %plain], [%m, %negative], [%s, %special]
	%one = fcmp oeq float %x, 1.0
	%none = fcmp oeq float %y, 0.0
	%both = or i1 %one, %none
	%r = select i1 %both, float 1.0, float %a
	ret float %r
}

define float @nvidia.powr(float %x, float %y) {
	%ay = call float @llvm.fabs.f32(float %y)
	%sum = fadd float %x, %ay
	%finite = fcmp olt float %sum, 0x7FF0000000000000
	%above = fcmp ogt float %x, 0.0
	%is = and i1 %finite, %above
	br i1 %is, label %plain, label %special
plain:
	%p = call float @nvidia.power_of(float %x, float %y)
	ret float %p
special:
	%l = call float @nvidia.limit_of_power(float %x, float %y, i1 false)
	%positive = fcmp oge float %x, 0.0
	%grows = fcmp one float %x, 1.0
	%changes = fcmp one float %y, 0.0
	%b = and i1 %positive, %grows
	%some = and i1 %b, %changes
	%s = select i1 %some, float %l, float 0x7FF8000000000000
	ret float %s
}

; One operation each, which are priced as roots.
define double @nvidia.rsqrt.f64(double %x) {
	%r = call double @llvm.amdgcn.rsq.f64(double %x)
	ret double %r
}

define double @nvidia.sqrt.f64(double %x) {
	%r = call double @llvm.sqrt.f64(double %x)
	ret double %r
}

; 0 and 1 have ways of their own, as in NVIDIA's, whatever the exponent is. The rest is as long as AMD's.
define double @nvidia.pow.f64(double %x, double %y) {
	%one = fcmp oeq double %x, 1.0
	br i1 %one, label %end, label %other
other:
	%none = fcmp oeq double %x, 0.0
	%up = fcmp ogt double %y, 0.0
	%zero = and i1 %none, %up
	br i1 %zero, label %nought, label %plain
nought:
	%half = fmul double %y, 0.5
	%whole = call double @llvm.trunc.f64(double %half)
	%even = fadd double %whole, %whole
	%left = fsub double %y, %even
	%over = call double @llvm.fabs.f64(double %left)
	%odd = fcmp oeq double %over, 1.0
	%n = select i1 %odd, double %x, double 0.0
	br label %end
plain:
	%p = call double @__ocml_pow_f64(double %x, double %y)
	br label %end
end:
	%r = phi double [1.0, %0], [%n, %nought], [%p, %plain]
	ret double %r
}

; Only where the exponent is finite and above 0, or the base 1: other powers of 0 and 1 are no numbers.
define double @nvidia.powr.f64(double %x, double %y) {
	%ay = call double @llvm.fabs.f64(double %y)
	%finite = fcmp olt double %ay, 0x7FF0000000000000
	%one = fcmp oeq double %x, 1.0
	%is = and i1 %one, %finite
	br i1 %is, label %end, label %other
other:
	%none = fcmp oeq double %x, 0.0
	%up = fcmp ogt double %y, 0.0
	%zero = and i1 %none, %up
	br i1 %zero, label %end, label %plain
plain:
	%p = call double @__ocml_powr_f64(double %x, double %y)
	br label %end
end:
	%r = phi double [1.0, %0], [0.0, %other], [%p, %plain]
	ret double %r
}

define double @nvidia.pown.f64(double %x, i32 %n) {
	%y = sitofp i32 %n to double
	%r = call double @nvidia.pow.f64(double %x, double %y)
	ret double %r
}

; Exponents beyond 2^24 are no floats.
define float @nvidia.pown(float %x, i32 %n) {
	%two = icmp eq i32 %n, 2
	br i1 %two, label %square, label %any
square:
	%is_number = fcmp ord float %x, 0.0
	%product = fmul float %x, %x
	%q = select i1 %is_number, float %product, float 0x7FF8000000000000
	ret float %q
any:
	%y = sitofp i32 %n to float
	%ax = call float @llvm.fabs.f32(float %x)
	%ay = call float @llvm.fabs.f32(float %y)
	%finite = fcmp olt float %ax, 0x7FF0000000000000
	%short = fcmp olt float %ay, 0x4170000000000000
	%other = fcmp one float %x, 0.0
	%a = and i1 %finite, %short
	%is = and i1 %a, %other
	br i1 %is, label %plain, label %special
plain:
	%p = call float @nvidia.power_of(float %x, float %y)
	%bit = and i32 %n, 1
	%odd = icmp ne i32 %bit, 0
	%below = fcmp olt float %x, 0.0
	%turns = and i1 %odd, %below
	%minus = fneg float %p
	%r = select i1 %turns, float %minus, float %p
	ret float %r
special:
	%number = fcmp ord float %x, 0.0
	%usual = and i1 %number, %short
	br i1 %usual, label %limit, label %rest
limit:
	%bits = and i32 %n, 1
	%uneven = icmp ne i32 %bits, 0
	%l = call float @nvidia.limit_of_power(float %x, float %y, i1 %uneven)
	%flat = icmp eq i32 %n, 0
	%t = select i1 %flat, float 1.0, float %l
	ret float %t
rest:
	%s = call float @__ocml_pown_f32(float %x, i32 %n)
	ret float %s
}

; ---- sine and cosine ----

; Few enough quarter turns for pi / 2 in three parts.
define i1 @nvidia.is_near(float %x) alwaysinline {
	%a = call float @llvm.fabs.f32(float %x)
	%near = fcmp olt float %a, 105615.0
	ret i1 %near
}

; x without n quarter turns.
define float @nvidia.rest_of(float %x, float %n) alwaysinline {
	%minus = fneg float %n
	%a = call float @llvm.fma.f32(float %minus, float 0x3FF921FB60000000, float %x)
	%b = call float @llvm.fma.f32(float %minus, float 0xBE6777A5C0000000, float %a)
	%r = call float @llvm.fma.f32(float %minus, float 0xBCDEE59DA0000000, float %b)
	ret float %r
}

; The sine of x and so many quarter turns.
define float @nvidia.sine(float %x, i32 %turned) alwaysinline {
	%turns = fmul float %x, 0x3FE45F3060000000
	%n = call float @llvm.rint.f32(float %turns)
	%quarters = fptosi float %n to i32
	%r = call float @nvidia.rest_of(float %x, float %n)
	%quarter = add i32 %quarters, %turned
	%odd = and i32 %quarter, 1
	%cos = icmp ne i32 %odd, 0
	%s = fmul float %r, %r
	%k2 = select i1 %cos, float 0x3EF99EB960000000, float 0xBF29943DC0000000
	%k1 = select i1 %cos, float 0xBF56C0C340000000, float 0x3F811073A0000000
	%k0 = select i1 %cos, float 0x3FA55554A0000000, float 0xBFC5555460000000
	%c1 = call float @llvm.fma.f32(float %s, float %k2, float %k1)
	%c0 = call float @llvm.fma.f32(float %s, float %c1, float %k0)
	%first = select i1 %cos, float 1.0, float %r
	%rs = fmul float %s, %first
	%half = call float @llvm.fma.f32(float %s, float -0.5, float 1.0)
	%ss = fmul float %s, %s
	%from = select i1 %cos, float %half, float %r
	%times = select i1 %cos, float %ss, float %rs
	%y = call float @llvm.fma.f32(float %c0, float %times, float %from)
	%side = and i32 %quarter, 2
	%below = icmp ne i32 %side, 0
	%opposite = fneg float %y
	%all = select i1 %below, float %opposite, float %y
	ret float %all
}

define float @nvidia.sin(float %x) {
	%is = call i1 @nvidia.is_near(float %x)
	br i1 %is, label %near, label %far
near:
	%a = call float @nvidia.sine(float %x, i32 0)
	ret float %a
far:
	%b = call float @__ocml_sin_f32(float %x)
	ret float %b
}

define float @nvidia.cos(float %x) {
	%is = call i1 @nvidia.is_near(float %x)
	br i1 %is, label %near, label %far
near:
	%a = call float @nvidia.sine(float %x, i32 1)
	ret float %a
far:
	%b = call float @__ocml_cos_f32(float %x)
	ret float %b
}

; Both from one reduction and both polynomials, exchanged in odd quarters.
define float @nvidia.sincos(float %x, ptr addrspace(5) %cos) {
	%is = call i1 @nvidia.is_near(float %x)
	br i1 %is, label %near, label %far
near:
	%turns = fmul float %x, 0x3FE45F3060000000
	%n = call float @llvm.rint.f32(float %turns)
	%quarter = fptosi float %n to i32
	%r = call float @nvidia.rest_of(float %x, float %n)
	%ss = fmul float %r, %r
	%s1 = call float @llvm.fma.f32(float %ss, float 0xBF29943DC0000000, float 0x3F811073A0000000)
	%s0 = call float @llvm.fma.f32(float %ss, float %s1, float 0xBFC5555460000000)
	%cube = fmul float %ss, %r
	%sine = call float @llvm.fma.f32(float %s0, float %cube, float %r)
	%c1 = call float @llvm.fma.f32(float %ss, float 0x3EF99EB960000000, float 0xBF56C0C340000000)
	%c0 = call float @llvm.fma.f32(float %ss, float %c1, float 0x3FA55554A0000000)
	%half = call float @llvm.fma.f32(float %ss, float -0.5, float 1.0)
	%fourth = fmul float %ss, %ss
	%cosine = call float @llvm.fma.f32(float %c0, float %fourth, float %half)
	%odd = and i32 %quarter, 1
	%exchange = icmp ne i32 %odd, 0
	%a = select i1 %exchange, float %cosine, float %sine
	%b = select i1 %exchange, float %sine, float %cosine
	%side = and i32 %quarter, 2
	%below = icmp ne i32 %side, 0
	%na = fneg float %a
	%a.all = select i1 %below, float %na, float %a
	%next = add i32 %quarter, 1
	%left = and i32 %next, 2
	%opposite = icmp ne i32 %left, 0
	%nb = fneg float %b
	%b.all = select i1 %opposite, float %nb, float %b
	br label %end
far:
	%c = call float @__ocml_sin_f32(float %x)
	%d = call float @__ocml_cos_f32(float %x)
	br label %end
end:
	%s = phi float [%a.all, %near], [%c, %far]
	%t = phi float [%b.all, %near], [%d, %far]
	store float %t, ptr addrspace(5) %cos
	ret float %s
}

define float @nvidia.sincos.relaxed(float %x, ptr addrspace(5) %cos) {
	%c = call float @__ocml_native_cos_f32(float %x)
	store float %c, ptr addrspace(5) %cos
	%s = call float @__ocml_native_sin_f32(float %x)
	ret float %s
}

define float @nvidia.tan.relaxed(float %x) {
	%s = call float @__ocml_native_sin_f32(float %x)
	%c = call float @__ocml_native_cos_f32(float %x)
	%by = call float @llvm.amdgcn.rcp.f32(float %c)
	%r = fmul float %s, %by
	ret float %r
}

; ---- lengths: of components by the largest of them, so that no square is too large or too small ----

define float @nvidia.larger(float %a, float %b) alwaysinline {
	%p = call float @llvm.fabs.f32(float %a)
	%q = call float @llvm.fabs.f32(float %b)
	%is = fcmp ogt float %p, %q
	%r = select i1 %is, float %p, float %q
	ret float %r
}

; Neither 0 nor infinite.
define i1 @nvidia.is_plain(float %most) alwaysinline {
	%finite = fcmp olt float %most, 0x7FF0000000000000
	%positive = fcmp ogt float %most, 0.0
	%r = and i1 %finite, %positive
	ret i1 %r
}

define float @nvidia.up_of(float %most) alwaysinline {
	%small = fcmp olt float %most, 0x3810000000000000
	%r = select i1 %small, float 0x4170000000000000, float 1.0
	ret float %r
}

define float @nvidia.scaled(float %v, float %most, float %up) alwaysinline {
	%large = fcmp ogt float %most, 0x47D0000000000000
	%quarter = fmul float %v, 0.25
	%a = select i1 %large, float %quarter, float %v
	%r = fmul float %a, %up
	ret float %r
}

define float @nvidia.over_of(float %most, float %up) alwaysinline {
	%a = call float @nvidia.scaled(float %most, float %most, float %up)
	%r = call float @llvm.amdgcn.rcp.f32(float %a)
	ret float %r
}

define float @nvidia.part(float %v, float %most, float %up, float %over) alwaysinline {
	%a = call float @nvidia.scaled(float %v, float %most, float %up)
	%r = fmul float %a, %over
	ret float %r
}

define float @nvidia.length2(<2 x float> %v) {
	%x = extractelement <2 x float> %v, i32 0
	%y = extractelement <2 x float> %v, i32 1
	%most = call float @nvidia.larger(float %x, float %y)
	%is = call i1 @nvidia.is_plain(float %most)
	br i1 %is, label %plain, label %other
plain:
	%up = call float @nvidia.up_of(float %most)
	%over = call float @nvidia.over_of(float %most, float %up)
	%px = call float @nvidia.part(float %x, float %most, float %up, float %over)
	%py = call float @nvidia.part(float %y, float %most, float %up, float %over)
	%sum.0 = fmul float %px, %px
	%sum = call float @llvm.fma.f32(float %py, float %py, float %sum.0)
	%root = call float @llvm.sqrt.f32(float %sum)
	%r = fmul float %most, %root
	ret float %r
other:
	%all.0 = fmul float %x, %x
	%all = call float @llvm.fma.f32(float %y, float %y, float %all.0)
	ret float %all
}

define float @nvidia.length2.relaxed(<2 x float> %v) {
	%x = extractelement <2 x float> %v, i32 0
	%y = extractelement <2 x float> %v, i32 1
	%sum.0 = fmul float %x, %x
	%sum = call float @llvm.fma.f32(float %y, float %y, float %sum.0)
	%r = call float @llvm.sqrt.f32(float %sum)
	ret float %r
}

define float @nvidia.length3(<3 x float> %v) {
	%x = extractelement <3 x float> %v, i32 0
	%y = extractelement <3 x float> %v, i32 1
	%z = extractelement <3 x float> %v, i32 2
	%more0 = call float @nvidia.larger(float %x, float %y)
	%most = call float @nvidia.larger(float %more0, float %z)
	%is = call i1 @nvidia.is_plain(float %most)
	br i1 %is, label %plain, label %other
plain:
	%up = call float @nvidia.up_of(float %most)
	%over = call float @nvidia.over_of(float %most, float %up)
	%px = call float @nvidia.part(float %x, float %most, float %up, float %over)
	%py = call float @nvidia.part(float %y, float %most, float %up, float %over)
	%pz = call float @nvidia.part(float %z, float %most, float %up, float %over)
	%sum.0 = fmul float %px, %px
	%sum.1 = call float @llvm.fma.f32(float %py, float %py, float %sum.0)
	%sum = call float @llvm.fma.f32(float %pz, float %pz, float %sum.1)
	%root = call float @llvm.sqrt.f32(float %sum)
	%r = fmul float %most, %root
	ret float %r
other:
	%all.0 = fmul float %x, %x
	%all.1 = call float @llvm.fma.f32(float %y, float %y, float %all.0)
	%all = call float @llvm.fma.f32(float %z, float %z, float %all.1)
	ret float %all
}

define float @nvidia.length3.relaxed(<3 x float> %v) {
	%x = extractelement <3 x float> %v, i32 0
	%y = extractelement <3 x float> %v, i32 1
	%z = extractelement <3 x float> %v, i32 2
	%sum.0 = fmul float %x, %x
	%sum.1 = call float @llvm.fma.f32(float %y, float %y, float %sum.0)
	%sum = call float @llvm.fma.f32(float %z, float %z, float %sum.1)
	%r = call float @llvm.sqrt.f32(float %sum)
	ret float %r
}

define float @nvidia.length4(<4 x float> %v) {
	%x = extractelement <4 x float> %v, i32 0
	%y = extractelement <4 x float> %v, i32 1
	%z = extractelement <4 x float> %v, i32 2
	%w = extractelement <4 x float> %v, i32 3
	%more0 = call float @nvidia.larger(float %x, float %y)
	%more1 = call float @nvidia.larger(float %more0, float %z)
	%most = call float @nvidia.larger(float %more1, float %w)
	%is = call i1 @nvidia.is_plain(float %most)
	br i1 %is, label %plain, label %other
plain:
	%up = call float @nvidia.up_of(float %most)
	%over = call float @nvidia.over_of(float %most, float %up)
	%px = call float @nvidia.part(float %x, float %most, float %up, float %over)
	%py = call float @nvidia.part(float %y, float %most, float %up, float %over)
	%pz = call float @nvidia.part(float %z, float %most, float %up, float %over)
	%pw = call float @nvidia.part(float %w, float %most, float %up, float %over)
	%sum.0 = fmul float %px, %px
	%sum.1 = call float @llvm.fma.f32(float %py, float %py, float %sum.0)
	%sum.2 = call float @llvm.fma.f32(float %pz, float %pz, float %sum.1)
	%sum = call float @llvm.fma.f32(float %pw, float %pw, float %sum.2)
	%root = call float @llvm.sqrt.f32(float %sum)
	%r = fmul float %most, %root
	ret float %r
other:
	%all.0 = fmul float %x, %x
	%all.1 = call float @llvm.fma.f32(float %y, float %y, float %all.0)
	%all.2 = call float @llvm.fma.f32(float %z, float %z, float %all.1)
	%all = call float @llvm.fma.f32(float %w, float %w, float %all.2)
	ret float %all
}

define float @nvidia.length4.relaxed(<4 x float> %v) {
	%x = extractelement <4 x float> %v, i32 0
	%y = extractelement <4 x float> %v, i32 1
	%z = extractelement <4 x float> %v, i32 2
	%w = extractelement <4 x float> %v, i32 3
	%sum.0 = fmul float %x, %x
	%sum.1 = call float @llvm.fma.f32(float %y, float %y, float %sum.0)
	%sum.2 = call float @llvm.fma.f32(float %z, float %z, float %sum.1)
	%sum = call float @llvm.fma.f32(float %w, float %w, float %sum.2)
	%r = call float @llvm.sqrt.f32(float %sum)
	ret float %r
}

define <2 x float> @nvidia.normalize2(<2 x float> %v) {
	%x = extractelement <2 x float> %v, i32 0
	%y = extractelement <2 x float> %v, i32 1
	%most = call float @nvidia.larger(float %x, float %y)
	%is = call i1 @nvidia.is_plain(float %most)
	br i1 %is, label %plain, label %other
plain:
	%up = call float @nvidia.up_of(float %most)
	%over = call float @nvidia.over_of(float %most, float %up)
	%px = call float @nvidia.part(float %x, float %most, float %up, float %over)
	%py = call float @nvidia.part(float %y, float %most, float %up, float %over)
	%sum.0 = fmul float %px, %px
	%sum = call float @llvm.fma.f32(float %py, float %py, float %sum.0)
	%by = call float @llvm.amdgcn.rsq.f32(float %sum)
	%nx = fmul float %px, %by
	%ny = fmul float %py, %by
	%v0 = insertelement <2 x float> poison, float %nx, i32 0
	%v1 = insertelement <2 x float> %v0, float %ny, i32 1
	ret <2 x float> %v1
other:
	%o = call <2 x float> @_Z9normalizeDv2_f(<2 x float> %v)
	ret <2 x float> %o
}

define <2 x float> @nvidia.normalize2.relaxed(<2 x float> %v) {
	%x = extractelement <2 x float> %v, i32 0
	%y = extractelement <2 x float> %v, i32 1
	%sum.0 = fmul float %x, %x
	%sum = call float @llvm.fma.f32(float %y, float %y, float %sum.0)
	%by = call float @llvm.amdgcn.rsq.f32(float %sum)
	%nx = fmul float %x, %by
	%ny = fmul float %y, %by
	%v0 = insertelement <2 x float> poison, float %nx, i32 0
	%v1 = insertelement <2 x float> %v0, float %ny, i32 1
	%none.0 = fcmp oeq float %x, 0.0
	%zero.y = fcmp oeq float %y, 0.0
	%none = and i1 %none.0, %zero.y
	%r = select i1 %none, <2 x float> %v, <2 x float> %v1
	ret <2 x float> %r
}

define <3 x float> @nvidia.normalize3(<3 x float> %v) {
	%x = extractelement <3 x float> %v, i32 0
	%y = extractelement <3 x float> %v, i32 1
	%z = extractelement <3 x float> %v, i32 2
	%more0 = call float @nvidia.larger(float %x, float %y)
	%most = call float @nvidia.larger(float %more0, float %z)
	%is = call i1 @nvidia.is_plain(float %most)
	br i1 %is, label %plain, label %other
plain:
	%up = call float @nvidia.up_of(float %most)
	%over = call float @nvidia.over_of(float %most, float %up)
	%px = call float @nvidia.part(float %x, float %most, float %up, float %over)
	%py = call float @nvidia.part(float %y, float %most, float %up, float %over)
	%pz = call float @nvidia.part(float %z, float %most, float %up, float %over)
	%sum.0 = fmul float %px, %px
	%sum.1 = call float @llvm.fma.f32(float %py, float %py, float %sum.0)
	%sum = call float @llvm.fma.f32(float %pz, float %pz, float %sum.1)
	%by = call float @llvm.amdgcn.rsq.f32(float %sum)
	%nx = fmul float %px, %by
	%ny = fmul float %py, %by
	%nz = fmul float %pz, %by
	%v0 = insertelement <3 x float> poison, float %nx, i32 0
	%v1 = insertelement <3 x float> %v0, float %ny, i32 1
	%v2 = insertelement <3 x float> %v1, float %nz, i32 2
	ret <3 x float> %v2
other:
	%o = call <3 x float> @_Z9normalizeDv3_f(<3 x float> %v)
	ret <3 x float> %o
}

define <3 x float> @nvidia.normalize3.relaxed(<3 x float> %v) {
	%x = extractelement <3 x float> %v, i32 0
	%y = extractelement <3 x float> %v, i32 1
	%z = extractelement <3 x float> %v, i32 2
	%sum.0 = fmul float %x, %x
	%sum.1 = call float @llvm.fma.f32(float %y, float %y, float %sum.0)
	%sum = call float @llvm.fma.f32(float %z, float %z, float %sum.1)
	%by = call float @llvm.amdgcn.rsq.f32(float %sum)
	%nx = fmul float %x, %by
	%ny = fmul float %y, %by
	%nz = fmul float %z, %by
	%v0 = insertelement <3 x float> poison, float %nx, i32 0
	%v1 = insertelement <3 x float> %v0, float %ny, i32 1
	%v2 = insertelement <3 x float> %v1, float %nz, i32 2
	%none.0 = fcmp oeq float %x, 0.0
	%zero.y = fcmp oeq float %y, 0.0
	%none.1 = and i1 %none.0, %zero.y
	%zero.z = fcmp oeq float %z, 0.0
	%none = and i1 %none.1, %zero.z
	%r = select i1 %none, <3 x float> %v, <3 x float> %v2
	ret <3 x float> %r
}

define <4 x float> @nvidia.normalize4(<4 x float> %v) {
	%x = extractelement <4 x float> %v, i32 0
	%y = extractelement <4 x float> %v, i32 1
	%z = extractelement <4 x float> %v, i32 2
	%w = extractelement <4 x float> %v, i32 3
	%more0 = call float @nvidia.larger(float %x, float %y)
	%more1 = call float @nvidia.larger(float %more0, float %z)
	%most = call float @nvidia.larger(float %more1, float %w)
	%is = call i1 @nvidia.is_plain(float %most)
	br i1 %is, label %plain, label %other
plain:
	%up = call float @nvidia.up_of(float %most)
	%over = call float @nvidia.over_of(float %most, float %up)
	%px = call float @nvidia.part(float %x, float %most, float %up, float %over)
	%py = call float @nvidia.part(float %y, float %most, float %up, float %over)
	%pz = call float @nvidia.part(float %z, float %most, float %up, float %over)
	%pw = call float @nvidia.part(float %w, float %most, float %up, float %over)
	%sum.0 = fmul float %px, %px
	%sum.1 = call float @llvm.fma.f32(float %py, float %py, float %sum.0)
	%sum.2 = call float @llvm.fma.f32(float %pz, float %pz, float %sum.1)
	%sum = call float @llvm.fma.f32(float %pw, float %pw, float %sum.2)
	%by = call float @llvm.amdgcn.rsq.f32(float %sum)
	%nx = fmul float %px, %by
	%ny = fmul float %py, %by
	%nz = fmul float %pz, %by
	%nw = fmul float %pw, %by
	%v0 = insertelement <4 x float> poison, float %nx, i32 0
	%v1 = insertelement <4 x float> %v0, float %ny, i32 1
	%v2 = insertelement <4 x float> %v1, float %nz, i32 2
	%v3 = insertelement <4 x float> %v2, float %nw, i32 3
	ret <4 x float> %v3
other:
	%o = call <4 x float> @_Z9normalizeDv4_f(<4 x float> %v)
	ret <4 x float> %o
}

define <4 x float> @nvidia.normalize4.relaxed(<4 x float> %v) {
	%x = extractelement <4 x float> %v, i32 0
	%y = extractelement <4 x float> %v, i32 1
	%z = extractelement <4 x float> %v, i32 2
	%w = extractelement <4 x float> %v, i32 3
	%sum.0 = fmul float %x, %x
	%sum.1 = call float @llvm.fma.f32(float %y, float %y, float %sum.0)
	%sum.2 = call float @llvm.fma.f32(float %z, float %z, float %sum.1)
	%sum = call float @llvm.fma.f32(float %w, float %w, float %sum.2)
	%by = call float @llvm.amdgcn.rsq.f32(float %sum)
	%nx = fmul float %x, %by
	%ny = fmul float %y, %by
	%nz = fmul float %z, %by
	%nw = fmul float %w, %by
	%v0 = insertelement <4 x float> poison, float %nx, i32 0
	%v1 = insertelement <4 x float> %v0, float %ny, i32 1
	%v2 = insertelement <4 x float> %v1, float %nz, i32 2
	%v3 = insertelement <4 x float> %v2, float %nw, i32 3
	%none.0 = fcmp oeq float %x, 0.0
	%zero.y = fcmp oeq float %y, 0.0
	%none.1 = and i1 %none.0, %zero.y
	%zero.z = fcmp oeq float %z, 0.0
	%none.2 = and i1 %none.1, %zero.z
	%zero.w = fcmp oeq float %w, 0.0
	%none = and i1 %none.2, %zero.w
	%r = select i1 %none, <4 x float> %v, <4 x float> %v3
	ret <4 x float> %r
}
