// LLVM's r600 back end has no atomics with a result: the report says so, and uses the IR.
//
// wavesim: --global 64 --local 64 --arg count=zero:1

kernel void k(global int *count, global int *out)
{
	out[get_global_id(0)] = atomic_or(count, 1) & 2;
}
