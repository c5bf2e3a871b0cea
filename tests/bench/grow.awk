# A generated kernel of size N: awk -v kind=KIND -v n=N -f grow.awk. What a program that writes programs
# writes: cases of a switch, lines of straight code, nested branches, loops, small functions.
function closing(depth,    s) {
	while (depth--)
		s = s "\t}\n"
	return s
}
BEGIN {
	if (kind == "functions")
		for (i = 0; i < n; i++)
			printf "uint f%d(uint a, uint b)\n{\n\treturn (a ^ %du) * (b | %du);\n}\n", i, i * 7 + 3, i % 31 + 1
	print "// wavesim: --global 256 --local 64 --arg in=iota:256 --arg out=zero:256"
	print "kernel void grown(global const uint *in, global uint *out)"
	print "{\n\tuint g = get_global_id(0), a = in[g], b = a + 1, c = 0;"
	if (kind == "switch")
		print "\tswitch (a) {"
	for (i = 0; i < n; i++)
		if (kind == "switch")
			printf "\tcase %d: c = a * %du + (b ^ %du); break;\n", i * 3 % 65521, i % 97 + 1, i
		else if (kind == "lines")
			printf "\tuint v%d = (%s ^ in[(a + %du) & 255]) * %du;\n", i, i ? "v" (i - 1) : "a", i, i % 97 * 2 + 3
		else if (kind == "ifs") # at most 100 deep: clang takes 256
			printf "\tif ((a ^ %du) > b + c) {\n\tc = c * %du + in[a & %d];\n%s", i, i % 97 + 1, i % 256,
				i % 100 == 99 || i == n - 1 ? closing(i % 100 + 1) : ""
		else if (kind == "loops")
			printf "\tfor (uint i = 0; i < (a & %du); i++)\n\t\tc = c * %du + (i ^ b);\n", i % 7 + 1, i % 97 * 2 + 3
		else
			printf "\tc = f%d(c, b);\n", i
	if (kind == "switch")
		print "\tdefault: c = b;\n\t}"
	printf "\tout[g] = %s;\n}\n", kind == "lines" ? "v" (n - 1) : "c"
}
