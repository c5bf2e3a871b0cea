// Multiply-adds of which the compiler packs two into an instruction: no more than the peak.
// wavesim: --device mi210 --global 262144 --local 256 --arg out=zero:524288
kernel void packed(global float2 *out)
{
	float2 a = get_global_id(0), b = a * 0.5f, c = a + 1.0f, d = b + 2.0f;
	for (int i = 0; i < 64; i++) {
		a = fma(a, b, c);
		b = fma(b, c, d);
		c = fma(c, d, a);
		d = fma(d, a, b);
	}
	out[get_global_id(0)] = a + b + c + d;
}
