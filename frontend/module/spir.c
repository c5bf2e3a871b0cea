/* SPIR's module -> one with amdgcn's address spaces: see spir.h.
 *
 * Both number the kinds of memory, and two numbers are not the same: a generic pointer is 4 in SPIR and 0 here, a
 * constant is 2 there and 4 here. LLVM's interface cannot change the type of what exists, so the module is written down
 * as text and read again with other numbers. Private memory is 0 in SPIR, which is flat here, as in PoCL's module. */
#include "frontend/module/spir.h"

#include "frontend/module/mangled.h"

#include <llvm-c/IRReader.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { GENERIC = 4, CONSTANT = 2 };

static u32 amdgcn_space(u32 spir)
{
	return spir == GENERIC ? SPACE_FLAT : spir == CONSTANT ? SPACE_CONSTANT : spir;
}

/* ---- text ---- */

static const char word[] = "addrspace(";
enum { WORD = sizeof word - 1 };

/* The line with the other numbers. What is between quotes is no code. */
static void renumber(Buf *out, const char *line, size_t n)
{
	bool quoted = false;
	for (const char *s = line, *end = line + n; s < end;) {
		quoted ^= *s == '"';
		if (quoted || strncmp(s, word, WORD) != 0) {
			buf_write(out, s++, 1);
			continue;
		}
		char *close;
		u32 space = amdgcn_space((u32)strtoul(s + WORD, &close, 10));
		if (space)
			buf_printf(out, "addrspace(%u)", space);
		else if (out->n && out->v[out->n - 1] == ' ')
			out->n--;
		s = close + 1;
	}
}

/* What follows a type of pointers, or of vectors of them. *flat: it is of the space without a number. */
static const char *behind_pointer(const char *s, bool *flat)
{
	const char *end = *s == '<' ? strchr(s, '>') : s + strlen("ptr");
	end = end ? end + (*s == '<') : s;
	*flat = *s == '<' ? !memmem(s, (size_t)(end - s), word, WORD) : strncmp(end, " addrspace(", 1 + WORD) != 0;
	return end;
}

/* The type that a cast's operand becomes: behind the last " to " that is not in parentheses of its own. */
static const char *cast_type(const char *s)
{
	const char *found = NULL;
	bool quoted = false;
	for (i32 depth = 0; *s && depth >= 0; s++) {
		quoted ^= *s == '"';
		if (quoted)
			continue;
		depth += (*s == '(') - (*s == ')');
		if (!depth && !strncmp(s, " to ", 4))
			found = s + 4;
	}
	return found;
}

/* A cast between spaces that have become one is none. */
static void drop_casts(char *line)
{
	static const char cast[] = "addrspacecast ", none[] = "bitcast       ";
	bool quoted = false;
	for (char *s = line; *s; s++) {
		quoted ^= *s == '"';
		if (quoted || strncmp(s, cast, sizeof cast - 1) != 0)
			continue;
		const char *from = s + sizeof cast - 1 + (s[sizeof cast - 1] == '('), *to = cast_type(from);
		bool flat_from, flat_to = false;
		behind_pointer(from, &flat_from);
		if (to)
			behind_pointer(to, &flat_to);
		if (flat_from && flat_to)
			memcpy(s, none, sizeof none - 1);
	}
}

static void rewrite(Buf *out, const char *ir)
{
	for (const char *line = ir; *line;) {
		size_t n = strcspn(line, "\n");
		u32 start = out->n;
		renumber(out, line, n);
		buf_printf(out, "\n");
		drop_casts(out->v + start);
		line += n + (line[n] == '\n');
	}
}

/* ---- names ---- */

/* Past the name of a length, a vector's width or what stands for an earlier type. */
static const char *skip_name(const char *s)
{
	char *end;
	if (s[0] == 'D' && s[1] == 'v')
		return s + 2 + strcspn(s + 2, "_");
	if (s[0] == 'S')
		return s + strcspn(s, "_");
	if (!isdigit((unsigned char)*s))
		return s;
	unsigned long n = strtoul(s, &end, 10);
	return n && n <= strlen(end) ? end + n - 1 : end - 1;
}

/* AMD's library has a function for each kind of memory: of generic and private memory, those of flat pointers. */
static void library_name(LLVMValueRef f)
{
	Mangled m = fe_mangled(LLVMGetValueName(f));
	if (!m.name)
		return;
	Buf b = {0};
	buf_printf(&b, "_Z%u%.*s", m.n, (int)m.n, m.name);
	for (const char *s = m.params, *from; *s; s++) {
		u32 space = 0;
		bool numbered = sscanf(s, "PU3AS%1u", &space) == 1;
		from = s;
		if (*s == 'P') {
			buf_printf(&b, "PU3AS%u", amdgcn_space(space));
			s += numbered ? strlen("PU3AS1") - 1 : 0;
			continue;
		}
		s = skip_name(s);
		buf_write(&b, from, (size_t)(s - from) + (*s != 0));
		s -= !*s;
	}
	LLVMSetValueName2(f, b.v, b.n);
	array_free(&b);
}

LLVMModuleRef spir_module(LLVMModuleRef spir, char **why)
{
	LLVMContextRef ctx = LLVMGetModuleContext(spir);
	char *ir = LLVMPrintModuleToString(spir);
	Buf text = {0};
	LLVMModuleRef mod = NULL;
	LLVMDisposeModule(spir);
	rewrite(&text, ir);
	LLVMDisposeMessage(ir);
	LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.v ? text.v : "", text.n, "spir");
	*why = NULL;
	if (LLVMParseIRInContext(ctx, bytes, &mod, why)) /* frees bytes */
		mod = NULL;
	array_free(&text);
	if (mod)
		llvm_each_function(mod, f)
			if (LLVMIsDeclaration(f))
				library_name(f);
	return mod;
}
