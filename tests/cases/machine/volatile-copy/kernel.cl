// A volatile object with an initial value is copied by a volatile memcpy, whose address spaces
// must be known to AMD's code generator. The registers are those that clang prints.
// wavesim: --global 2 --local 2 --arg output=zero:2
struct S {
	int a;
	char b[2];
};

kernel void static_array(global char *output)
{
	volatile struct S s = {-1, {42, 7}};
	int i = get_global_id(0);
	s.b[i] = i;
	output[i] = s.b[i];
}
