// What the scalar unit reads is no access of the vector memory path: `table` (constant), `in`
// (nobody writes it before) at one place for the wavefront. `late` is read after a store that
// may change it, `bytes` is no whole dword, `lane` differs by lane: these are vector accesses.
//
// wavesim: --global 64 --local 64 --arg table=iota:8 --arg in=iota:64 --arg late=iota:64 --arg bytes=iota:64 --arg out=zero:64 --arg n=3

kernel void reads(constant int *table, global const int *in, global int *late, global const char *bytes,
                  global int *out, int n)
{
	int i = get_global_id(0);
	int sum = table[n];
	sum += in[n];
	sum += in[i];
	sum += bytes[n];
	out[i] = sum;
	sum += late[n];
	out[i] += sum;
}
