/* Operations on wide integers in LLVM's assembly, and the same on arrays of bits. */
#include "tests/unit/wide_ops.h"

/* ---- arithmetic on bits, the lowest first ---- */

static Bits number(u64 v)
{
	Bits r = {0};
	for (u32 i = 0; i < 64; i++)
		r.b[i] = v >> i & 1;
	return r;
}

static Bits shifted(Bits a, int left, u32 n, u8 fill)
{
	Bits r = {0};
	for (int i = 0; i < (int)n; i++) {
		int k = i - left;
		r.b[i] = k < 0 ? 0 : k >= (int)n ? fill : a.b[k];
	}
	return r;
}

static Bits sum(Bits a, Bits b, u8 carry, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u8 t = (u8)(a.b[i] + b.b[i] + carry);
		a.b[i] = t & 1;
		carry = t >> 1;
	}
	return a;
}

static Bits inverted(Bits a, u32 n)
{
	for (u32 i = 0; i < n; i++)
		a.b[i] ^= 1;
	return a;
}

static Bits difference(Bits a, Bits b, u32 n) { return sum(a, inverted(b, n), 1, n); }

static bool less(Bits a, Bits b, bool sign, u32 n)
{
	if (sign) {
		a.b[n - 1] ^= 1;
		b.b[n - 1] ^= 1;
	}
	for (u32 i = n; i-- > 0;) {
		if (a.b[i] != b.b[i])
			return a.b[i] < b.b[i];
	}
	return false;
}

static bool equal(Bits a, Bits b, u32 n) { return !memcmp(a.b, b.b, n); }

static Bits product(Bits a, Bits b, u32 n)
{
	Bits r = {0};
	for (u32 i = 0; i < n; i++) {
		if (b.b[i])
			r = sum(r, shifted(a, (int)i, n, 0), 0, n);
	}
	return r;
}

/* Upper half of (a:b) << k or lower half of (a:b) >> k. */
static Bits funnel(const WideIn *x, bool left, u32 k)
{
	Bits r = {0};
	u32 from = left ? x->n - k % x->n : k % x->n;
	for (u32 i = 0; i < x->n; i++)
		r.b[i] = from + i < x->n ? x->b.b[from + i] : x->a.b[from + i - x->n];
	return r;
}

static Bits extended(Bits a, u32 from, u32 n, bool sign)
{
	for (u32 i = from; i < n; i++)
		a.b[i] = sign ? a.b[from - 1] : 0;
	return a;
}

static Bits turned(const WideIn *x, u32 unit)
{
	Bits r = {0};
	for (u32 i = 0; i < x->n; i++)
		r.b[x->n - unit - i / unit * unit + i % unit] = x->a.b[i];
	return r;
}

static Bits zeros(const WideIn *x, bool low)
{
	u32 k = 0;
	while (k < x->n && !x->a.b[low ? k : x->n - 1 - k])
		k++;
	return number(k);
}

static Bits ones(const WideIn *x)
{
	u64 k = 0;
	for (u32 i = 0; i < x->n; i++)
		k += x->a.b[i];
	return number(k);
}

/* Words of w bits: the result's i-th is a's from[i]. */
static Bits moved(const WideIn *x, u32 w, const u8 *from, u32 count)
{
	Bits r = x->a;
	for (u32 i = 0; i < count; i++)
		memcpy(r.b + i * w, x->a.b + from[i] * w, w);
	return r;
}

static Bits set_word(Bits a, u32 at, u32 w, Bits v)
{
	memcpy(a.b + at * w, v.b, w);
	return a;
}

static Bits bit_and(Bits a, Bits b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		a.b[i] &= b.b[i];
	return a;
}

static Bits bit_xor(Bits a, Bits b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		a.b[i] ^= b.b[i];
	return a;
}

static Bits repeated(const WideIn *x)
{
	Bits t, u = x->a;
	u32 i = 0;
	do {
		t = u;
		u = sum(t, x->b, 0, x->n);
	} while (i++ < x->lane % 3);
	return bit_xor(u, t, x->n);
}

/* ---- the operations ---- */

enum { ANY = 1, BYTES = 16, WORDS = 32, LONGS = 64, POW2 = 0 };

#define VALUE(name, e) \
	static Bits value_##name(const WideIn *x) { u32 n = x->n; (void)n; return e; }
#define ROWS(X) \
	X(add, ANY, "%r# = add $ %a, %b", sum(x->a, x->b, 0, n)) \
	X(sub, ANY, "%r# = sub $ %a, %b", difference(x->a, x->b, n)) \
	X(neg, ANY, "%r# = sub $ 0, %a", difference(number(0), x->a, n)) \
	X(inc, ANY, "%r# = add $ %a, 1", sum(x->a, number(1), 0, n)) \
	X(mul, ANY, "%r# = mul $ %a, %b", product(x->a, x->b, n)) \
	X(and, ANY, "%r# = and $ %a, %b", bit_and(x->a, x->b, n)) \
	X(or, ANY, "%r# = or $ %a, %b", inverted(bit_and(inverted(x->a, n), inverted(x->b, n), n), n)) \
	X(xor, ANY, "%r# = xor $ %a, %b", bit_xor(x->a, x->b, n)) \
	X(not, ANY, "%r# = xor $ %a, -1", inverted(x->a, n)) \
	X(shl, ANY, "%r# = shl $ %a, %s", shifted(x->a, (int)x->s, n, 0)) \
	X(lshr, ANY, "%r# = lshr $ %a, %s", shifted(x->a, -(int)x->s, n, 0)) \
	X(ashr, ANY, "%r# = ashr $ %a, %s", shifted(x->a, -(int)x->s, n, x->a.b[n - 1])) \
	X(shl5, ANY, "%r# = shl $ %a, 5", shifted(x->a, 5, n, 0)) \
	X(shl64, ANY, "%r# = shl $ %a, 64", shifted(x->a, 64, n, 0)) \
	X(shl100, ANY, "%r# = shl $ %a, 100", shifted(x->a, 100, n, 0)) \
	X(lshr1, ANY, "%r# = lshr $ %a, 1", shifted(x->a, -1, n, 0)) \
	X(lshr128, ANY, "%r# = lshr $ %a, 128", shifted(x->a, -128, n, 0)) \
	X(lshr77, ANY, "%r# = lshr $ %a, 77", shifted(x->a, -77, n, 0)) \
	X(ashr3, ANY, "%r# = ashr $ %a, 3", shifted(x->a, -3, n, x->a.b[n - 1])) \
	X(ashr65, ANY, "%r# = ashr $ %a, 65", shifted(x->a, -65, n, x->a.b[n - 1])) \
	X(eq, ANY, "%c# = icmp eq $ %a, %b\n%r# = zext i1 %c# to $", number(equal(x->a, x->b, n))) \
	X(ne, ANY, "%c# = icmp ne $ %a, %b\n%r# = zext i1 %c# to $", number(!equal(x->a, x->b, n))) \
	X(ult, ANY, "%c# = icmp ult $ %a, %b\n%r# = zext i1 %c# to $", \
		number(less(x->a, x->b, false, n))) \
	X(ugt, ANY, "%c# = icmp ugt $ %a, %b\n%r# = zext i1 %c# to $", \
		number(less(x->b, x->a, false, n))) \
	X(ule, ANY, "%c# = icmp ule $ %a, %b\n%r# = zext i1 %c# to $", \
		number(!less(x->b, x->a, false, n))) \
	X(uge, ANY, "%c# = icmp uge $ %a, %b\n%r# = zext i1 %c# to $", \
		number(!less(x->a, x->b, false, n))) \
	X(slt, ANY, "%c# = icmp slt $ %a, %b\n%r# = zext i1 %c# to $", \
		number(less(x->a, x->b, true, n))) \
	X(sgt, ANY, "%c# = icmp sgt $ %a, %b\n%r# = zext i1 %c# to $", \
		number(less(x->b, x->a, true, n))) \
	X(sle, ANY, "%c# = icmp sle $ %a, %b\n%r# = zext i1 %c# to $", \
		number(!less(x->b, x->a, true, n))) \
	X(sge, ANY, "%c# = icmp sge $ %a, %b\n%r# = sext i1 %c# to $", \
		less(x->a, x->b, true, n) ? number(0) : inverted(number(0), n)) \
	X(umin, ANY, "%r# = call $ @llvm.umin.$($ %a, $ %b)", less(x->a, x->b, false, n) ? x->a : x->b) \
	X(umax, ANY, "%r# = call $ @llvm.umax.$($ %a, $ %b)", less(x->a, x->b, false, n) ? x->b : x->a) \
	X(smin, ANY, "%r# = call $ @llvm.smin.$($ %a, $ %b)", less(x->a, x->b, true, n) ? x->a : x->b) \
	X(smax, ANY, "%r# = call $ @llvm.smax.$($ %a, $ %b)", less(x->a, x->b, true, n) ? x->b : x->a) \
	X(abs, ANY, "%r# = call $ @llvm.abs.$($ %a, i1 false)", \
		x->a.b[n - 1] ? difference(number(0), x->a, n) : x->a) \
	X(ctpop, ANY, "%r# = call $ @llvm.ctpop.$($ %a)", ones(x)) \
	X(ctlz, ANY, "%r# = call $ @llvm.ctlz.$($ %a, i1 false)", zeros(x, false)) \
	X(cttz, ANY, "%r# = call $ @llvm.cttz.$($ %a, i1 false)", zeros(x, true)) \
	X(bitreverse, ANY, "%r# = call $ @llvm.bitreverse.$($ %a)", turned(x, 1)) \
	X(bswap, BYTES, "%r# = call $ @llvm.bswap.$($ %a)", turned(x, 8)) \
	X(fshl77, ANY, "%r# = call $ @llvm.fshl.$($ %a, $ %b, $ 77)", funnel(x, true, 77)) \
	X(fshr70, ANY, "%r# = call $ @llvm.fshr.$($ %a, $ %b, $ 70)", funnel(x, false, 70)) \
	X(fshl, POW2, "%r# = call $ @llvm.fshl.$($ %a, $ %b, $ %s)", funnel(x, true, x->s)) \
	X(fshr, POW2, "%r# = call $ @llvm.fshr.$($ %a, $ %b, $ %s)", funnel(x, false, x->s)) \
	X(select, ANY, "%r# = select i1 %one, $ %a, $ %b", x->lane & 1 ? x->a : x->b) \
	X(freeze, ANY, "%f# = freeze $ %a\n%r# = add $ %f#, %f#", sum(x->a, x->a, 0, n)) \
	X(trunc, ANY, "%t# = trunc $ %a to i70\n%r# = sext i70 %t# to $", extended(x->a, 70, n, true)) \
	X(zext, ANY, "%t# = trunc $ %a to i9\n%r# = zext i9 %t# to $", extended(x->a, 9, n, false)) \
	X(mid, ANY, "%t# = trunc $ %a to i128\n%r# = sext i128 %t# to $", \
		extended(x->a, 128, n, true)) \
	X(wider, ANY, "%t# = zext $ %a to i2000\n%u# = mul i2000 %t#, 3\n%v# = lshr i2000 %u#, 1\n" \
		"%r# = trunc i2000 %v# to $", \
		shifted(sum(x->a, shifted(x->a, 1, n + 2, 0), 0, n + 2), -1, n + 2, 0)) \
	X(swider, ANY, "%t# = sext $ %a to i2000\n%u# = ashr i2000 %t#, %s2000\n" \
		"%r# = trunc i2000 %u# to $", shifted(x->a, -(int)x->s, n, x->a.b[n - 1])) \
	X(pointer, ANY, "%p# = inttoptr $ %a to ptr\n%r# = ptrtoint ptr %p# to $", \
		extended(x->a, 64, n, false)) \
	X(ints, WORDS, "%v# = bitcast $ %a to <@W x i32>\n%e# = extractelement <@W x i32> %v#, i32 0\n" \
		"%w# = insertelement <@W x i32> %v#, i32 %e#, i32 3\n%r# = bitcast <@W x i32> %w# to $", \
		moved(x, 32, (const u8[]){0, 1, 2, 0}, 4)) \
	X(longs, LONGS, "%v# = bitcast $ %a to <@L x i64>\n" \
		"%w# = insertelement <@L x i64> %v#, i64 5, i32 %three\n" \
		"%r# = bitcast <@L x i64> %w# to $", set_word(x->a, x->lane % 3, 64, number(5))) \
	X(chars, BYTES, "%v# = bitcast $ %a to <@B x i8>\n" \
		"%e# = extractelement <@B x i8> %v#, i32 %three\n" \
		"%r# = zext i8 %e# to $", extended(shifted(x->a, -8 * (int)(x->lane % 3), n, 0), 8, n, false)) \
	X(bools, ANY, "%v# = bitcast $ %a to <@N x i1>\n%w# = bitcast $ %b to <@N x i1>\n" \
		"%u# = and <@N x i1> %v#, %w#\n%r# = bitcast <@N x i1> %u# to $", bit_and(x->a, x->b, n)) \
	X(pair, ANY, "%t# = insertelement <2 x $> undef, $ %a, i32 0\n" \
		"%u# = insertelement <2 x $> %t#, $ %b, i32 1\n%v# = extractelement <2 x $> %u#, i32 %bit\n" \
		"%w# = insertelement <2 x $> %u#, $ %v#, i32 %bit\n" \
		"%x# = shufflevector <2 x $> %w#, <2 x $> %u#, <2 x i32> <i32 1, i32 2>\n" \
		"%y# = add <2 x $> %x#, %u#\n%z# = lshr <2 x $> %y#, <$ 1, $ 66>\n" \
		"%i# = extractelement <2 x $> %z#, i32 0\n%j# = extractelement <2 x $> %z#, i32 1\n" \
		"%r# = xor $ %i#, %j#", \
		bit_xor(shifted(sum(x->a, x->b, 0, n), -1, n, 0), \
		        shifted(sum(x->a, x->b, 0, n), -66, n, 0), n)) \
	X(parts, ANY, "%p# = insertvalue {i32, $} undef, $ %a, 1\n" \
		"%q# = select i1 %one, {i32, $} %p#, {i32, $} {i32 1, $ 77}\n" \
		"%r# = extractvalue {i32, $} %q#, 1", x->lane & 1 ? x->a : number(77)) \
	X(phi, ANY, "br label %h#\nh#:\nbr i1 %one, label %x#, label %y#\nx#:\n%t# = xor $ %a, %b\n" \
		"br label %y#\ny#:\n%r# = phi $ [ %a, %h# ], [ %t#, %x# ]", \
		x->lane & 1 ? bit_xor(x->a, x->b, n) : x->a) \
	X(loop, ANY, "br label %h#\nh#:\nbr label %x#\nx#:\n%i# = phi i32 [ 0, %h# ], [ %j#, %x# ]\n" \
		"%t# = phi $ [ %a, %h# ], [ %u#, %x# ]\n%u# = add $ %t#, %b\n%j# = add i32 %i#, 1\n" \
		"%k# = icmp ult i32 %i#, %three\nbr i1 %k#, label %x#, label %y#\n" \
		"y#:\n%r# = xor $ %u#, %t#", repeated(x)) \
	X(constant, ANY, "%r# = xor $ %a, u0x1000000020000000300000004F", bit_xor(x->a, pattern(n), n)) \
	X(table, ANY, "%p# = getelementptr [2 x $], ptr @table, i32 0, i32 %bit\n%r# = load $, ptr %p#", \
		x->lane & 1 ? number(9) : inverted(number(5), n)) \
	X(spill, ANY, "%p# = alloca [2 x $]\n%q# = getelementptr [2 x $], ptr %p#, i32 0, i32 %bit\n" \
		"store $ 3, ptr %p#\nstore $ %a, ptr %q#, align 1\n%r# = load $, ptr %p#", \
		x->lane & 1 ? number(3) : x->a)

static Bits pattern(u32 n)
{
	static const u8 words[] = {0x4F, 0x30, 0x20, 0x10};
	Bits r = {0};
	for (u32 i = 0; i < COUNT(words); i++)
		r = sum(r, shifted(number(words[i]), 32 * (int)i, n, 0), 0, n);
	return r;
}

#define DEFINE(name, unit, text, e) VALUE(name, e)
ROWS(DEFINE)
#define LIST(name, unit, text, e) {unit, text, value_##name},
const WideOp wide_ops[] = {ROWS(LIST)};
const u32 wide_nops = COUNT(wide_ops);

bool wide_op_fits(const WideOp *op, u32 n)
{
	return op->unit == POW2 ? !(n & (n - 1)) : n % op->unit == 0;
}
