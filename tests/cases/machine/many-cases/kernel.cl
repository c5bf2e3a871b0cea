// A switch with more cases than LLVM's code generator gets through in time: the report says so, and uses the IR.
//
// wavesim: --global 64 --local 64 --arg a=random(0,1200):64
#define C1(n) case n: c = b * (n % 97 + 3) ^ n; break;
#define C10(n) C1(n) C1(n + 1) C1(n + 2) C1(n + 3) C1(n + 4) C1(n + 5) C1(n + 6) C1(n + 7) C1(n + 8) C1(n + 9)
#define C100(n) C10(n) C10(n + 10) C10(n + 20) C10(n + 30) C10(n + 40) \
	C10(n + 50) C10(n + 60) C10(n + 70) C10(n + 80) C10(n + 90)
kernel void k(global uint *out, global const uint *a)
{
	uint i = get_global_id(0), b = a[i], c;
	switch (b) {
	C100(0) C100(100) C100(200) C100(300) C100(400) C100(500) C100(600) C100(700) C100(800) C100(900) C100(1000)
	default: c = b;
	}
	out[i] = c;
}
