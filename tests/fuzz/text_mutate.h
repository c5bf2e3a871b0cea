/* Changes to texts by words and lines, half of the time instead of libFuzzer's by bytes:
 * they keep the text one that the parser accepts more often. A target gives words of its
 * language by number (any number is asked for), or NULL. */
#ifndef WAVESIM_TEXT_MUTATE_H
#define WAVESIM_TEXT_MUTATE_H

#include "base/base.h"

#include <ctype.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

typedef struct Piece {
	size_t at, n;
} Piece;

static u32 text_below(u64 *rng, size_t n)
{
	*rng = *rng * 6364136223846793005u + 1442695040888963407u;
	return n ? (u32)((*rng >> 33) % n) : 0;
}

static bool text_is_word(u8 c) { return isalnum(c) || c == '_' || c == '.' || c == '-'; }

/* The word or the line (with its end) around a random place. */
static Piece text_word(const u8 *s, size_t n, u64 *rng)
{
	size_t a = text_below(rng, n), b;
	while (a < n && !text_is_word(s[a]))
		a++;
	while (a && text_is_word(s[a - 1]))
		a--;
	for (b = a; b < n && text_is_word(s[b]);)
		b++;
	return (Piece){a, b - a};
}

static Piece text_line(const u8 *s, size_t n, u64 *rng)
{
	size_t a = text_below(rng, n), b;
	while (a && s[a - 1] != '\n')
		a--;
	for (b = a; b < n && s[b] != '\n';)
		b++;
	return (Piece){a, b + (b < n) - a};
}

/* Bytes [to.at, to.at + to.n) become with; the new size, or the old one when it is too long. */
static size_t text_replace(u8 *s, size_t n, size_t max, Piece to, const void *with, size_t nwith)
{
	if (n - to.n + nwith > max)
		return n;
	memmove(s + to.at + nwith, s + to.at + to.n, n - to.at - to.n);
	memcpy(s + to.at, with, nwith);
	return n - to.n + nwith;
}

static const char *text_number(u64 *rng)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "2", "3", "7", "8", "15", "16", "31", "32", "63", "64", "100", "128", "255", "256",
		"1000", "4096", "65535", "65536", "1048576", "2147483647", "2147483648", "4294967295",
		"4294967296", "1099511627776", "9223372036854775807", "-9223372036854775808",
		"18446744073709551615", "18446744073709551616", "0x100000", "0xffffffffffffffff", "1e300", "nan",
	};
	return numbers[text_below(rng, COUNT(numbers))];
}

static size_t text_once(u8 *s, size_t n, size_t max, u64 *rng, const char *(*words)(u32))
{
	Piece to = text_word(s, n, rng), from;
	const char *word;
	u8 *copy = xmalloc(n + 1);
	memcpy(copy, s, n);
	switch (text_below(rng, 7)) {
	case 0: /* another word of the text */
		from = text_word(s, n, rng);
		n = text_replace(s, n, max, to, copy + from.at, from.n);
		break;
	case 1:
		word = text_number(rng);
		n = text_replace(s, n, max, to, word, strlen(word));
		break;
	case 2:
		word = words ? words(text_below(rng, 1u << 20)) : text_number(rng);
		n = text_replace(s, n, max, to, word, strlen(word));
		break;
	case 3: /* a line goes */
		n = text_replace(s, n, max, text_line(s, n, rng), "", 0);
		break;
	case 4: /* a line comes twice, elsewhere */
		from = text_line(s, n, rng);
		to = text_line(s, n, rng);
		to.n = 0;
		n = text_replace(s, n, max, to, copy + from.at, from.n);
		break;
	case 5: /* a line instead of another */
		from = text_line(s, n, rng);
		n = text_replace(s, n, max, text_line(s, n, rng), copy + from.at, from.n);
		break;
	default: /* a number next to the one there */
		if (to.n && to.n < 12 && isdigit(s[to.at + to.n - 1])) {
			u8 *digit = &s[to.at + to.n - 1];
			*digit = (u8)('0' + (*digit - '0' + (text_below(rng, 2) ? 1u : 9u)) % 10);
		}
	}
	free(copy);
	return n;
}

static size_t text_mutate(u8 *data, size_t size, size_t max, u32 seed, const char *(*words)(u32))
{
	u64 rng = seed;
	if (!size || text_below(&rng, 2))
		return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max) : size;
	for (u32 n = 1 + text_below(&rng, 4); n && size; n--)
		size = text_once(data, size, max, &rng, words);
	return size;
}

#endif
