/* What parsers share: words, and the next token of an expression, C's operators among them. */
#ifndef WAVESIM_SCAN_H
#define WAVESIM_SCAN_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Part of a word: a name, a keyword, a number? */
static inline bool scan_is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Characters of the word that begins at p. */
static inline size_t scan_word(const char *p)
{
	size_t n = 0;
	while (scan_is_word(p[n]))
		n++;
	return n;
}

/* Is the word of n characters that one? */
static inline bool scan_is(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(p, word, n);
}

static inline void scan_skip(const char **p)
{
	while (isspace((unsigned char)**p))
		(*p)++;
}

/* Is that the next token? Then it is passed. The first half of a longer operator, as & in &&, is none. */
static inline bool scan_take(const char **p, const char *token)
{
	size_t n = strlen(token);
	scan_skip(p);
	if (strncmp(*p, token, n) != 0)
		return false;
	if (n == 1 && strchr("<>=!&|", *token) && ((*p)[1] == '=' || ((*p)[1] == *token && *token != '!')))
		return false;
	*p += n;
	return true;
}

#endif
