// What the compiler defines for its options is the same where the kernel is simulated and where it runs natively:
// the one is built without optimisation, the other with.
kernel void defined_macros(global int *a)
{
	int n = 0;
#ifdef __OPTIMIZE__
	a[n] = __OPTIMIZE__;
#endif
	n++;
#ifdef __NO_INLINE__
	a[n] = __NO_INLINE__;
#endif
	n++;
#ifdef __OPTIMIZE_SIZE__
	a[n] = __OPTIMIZE_SIZE__;
#endif
	n++;
#ifdef __FAST_RELAXED_MATH__
	a[n] = __FAST_RELAXED_MATH__;
#endif
	n++;
#ifdef __FAST_MATH__
	a[n] = __FAST_MATH__;
#endif
	n++;
#ifdef __FINITE_MATH_ONLY__
	a[n] = 10 + __FINITE_MATH_ONLY__;
#endif
	n++;
#ifdef NDEBUG
	a[n] = 1;
#endif
	n++;
	a[n] = __LINE__;
	printf("%d %d %d %d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}
