/* What wave programs of the tests begin with: a buffer of dwords and a number. */
#ifndef WAVESIM_TESTS_WAVE_TEXT_H
#define WAVESIM_TESTS_WAVE_TEXT_H

#define HEAD \
	"kernel \"k\"\n" \
	"arg 0 \"out\" global bytes 4 width 1 size 4\n" \
	"arg 1 \"n\" value bytes 4 width 1 size 4\n" \
	"param s0:i64 arg 0 offset 0\n" \
	"param s1:i32 arg 1 offset 0\n"

#endif
