kernel void move(global float4 *p, float4 by, local float *tmp, char c, uchar u)
{
	tmp[0] = u;
	p[get_global_id(0)] += by * c;
}
