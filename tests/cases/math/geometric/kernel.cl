// dot, cross, length, distance, normalize and their fast forms, in 1 to 4 dimensions.
//
// wavesim: --global 128 --local 64 --arg a=random(-4,4):128 --arg b=random(-4,4):128
// wavesim: --arg out=zero:512

kernel void geometric(global const float4 *a, global const float4 *b, global float4 *out)
{
	uint gid = get_global_id(0);
	float4 x = a[gid], y = b[gid];
	out[gid * 4] = (float4)(dot(x, y), dot(x.xyz, y.xyz), dot(x.xy, y.xy), dot(x.x, y.x));
	out[gid * 4 + 1] = cross(x, y) + (float4)(cross(x.xyz, y.zyx), 1.0f);
	out[gid * 4 + 2] = (float4)(length(x), length(y.xyz), distance(x, y), distance(x.xy, y.xy));
	float4 n = normalize(x);
	n.xyz += fast_normalize(y.xyz);
	n.w += fast_length(x) - fast_distance(x.xy, y.zw);
	out[gid * 4 + 3] = n;
}
