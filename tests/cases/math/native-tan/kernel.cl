// native_tan of AMD's library, which makes turns of radians once too often.
//
// wavesim: --global 256 --local 64 --arg a=random(-1.2,1.2):1024 --arg out=zero:2048

kernel void tangents(global const float *a, global float *out)
{
	uint gid = get_global_id(0);
	float4 x = vload4(gid, a);
	vstore4(native_tan(x), 2 * gid, out);
	vstore4((float4)(native_tan(x.x), native_tan(x.yz), native_tan(x.w)), 2 * gid + 1, out);
}
