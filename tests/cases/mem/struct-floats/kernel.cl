/* Floats in structs are compared as floats, within the limits of the functions that made them; the other members bit for bit. */
// wavesim: --global 256 --local 64 --arg p=zero:256 --arg x=random(-3,3):256
typedef struct { float m; int n; float4 v; double d[2]; char c; half h; } P;
kernel void st(global P *p, global const float *x)
{
	int i = get_global_id(0);
	p[i].m = sin(x[i]); p[i].n = i; p[i].v = exp((float4)(x[i])); p[i].d[0] = tan((double)x[i]); p[i].d[1] = 1; p[i].c = 3;
}
