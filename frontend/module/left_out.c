/* See left_out.h. The compiler does not tell what its preprocessor left out, so the text is read once more, as far as
 * that can be done without headers: what -D and the text's own #define say. A name that neither knows may be defined by
 * a header or the compiler, so that a condition is on, off, or not known. The kernel is not there: one of those around
 * it is off, and where a single one is not known to be on, it is that. */
#include "frontend/module/left_out.h"

#include "base/scan.h"
#include "isa/source.h"

enum { MOST_MACROS = 4096, DEEPEST = 64 };

/* ---- macros ---- */

typedef struct Macro {
	const char *name, *value; /* value NULL: no longer defined */
	size_t n;
	u32 line;                 /* 0: by -D */
} Macro;

typedef enum { OFF, UNKNOWN, ON } State;

/* A condition, where it stands. */
typedef struct Condition {
	const char *text; /* the directive: "#ifdef X" */
	State state;
	const char *name; /* of n letters, if it is no more than that; else n is 0 */
	size_t n;
	bool ifndef;
	const char *on; /* options that make it hold, or, of #ifndef, fail: "-D A -D B=1"; NULL: not known */
} Condition;

/* #if … #elif … #else, as far as it has been read. */
typedef struct Branch {
	Condition when;       /* of #else the one that it turns round, text NULL: there were several */
	u32 line;
	State earlier, state; /* was a branch before this one taken? this one? */
	State around;         /* what is around it */
	bool is_else;
} Branch;

typedef struct Reader {
	Arena *a;
	const char *p;
	u32 line;
	bool included; /* a header was, which may have defined anything */
	bool global;   /* the last kernel is __global__, of C++ */
	ARRAY(Macro) macros;
	ARRAY(Branch) branches;
} Reader;

static bool is_directive(const char *text, const char *word)
{
	size_t n = strlen(word);
	return !strncmp(text + 1, word, n) && !scan_is_word(text[1 + n]);
}

static void define(Reader *r, const char *name, size_t n, const char *value, u32 line)
{
	if (n && r->macros.n < MOST_MACROS)
		array_push(&r->macros, ((Macro){arena_strndup(r->a, name, n), value, n, line}));
}

/* The last word on that name; NULL: there is none. */
static const Macro *macro_of(const Reader *r, const char *name, size_t n)
{
	for (u32 i = r->macros.n; i--;)
		if (r->macros.v[i].n == n && !memcmp(r->macros.v[i].name, name, n))
			return &r->macros.v[i];
	return NULL;
}

/* The compiler's own: __OPENCL_VERSION__, cl_khr_fp64, CL_VERSION_1_2. */
static bool is_compilers(const char *name)
{
	return *name == '_' || !strncmp(name, "cl_", 3) || !strncmp(name, "CL_", 3);
}

static State defined(const Reader *r, const char *name, size_t n)
{
	const Macro *m = macro_of(r, name, n);
	if (m)
		return m->value ? ON : OFF;
	return is_compilers(name) || r->included || r->macros.n == MOST_MACROS ? UNKNOWN : OFF;
}

/* -D NAME, -DNAME=VALUE, -U NAME, with quotes or without. */
static void take_options(Reader *r, const char *options)
{
	SrcOption o;
	while (options && source_option(&options, &o, r->a)) {
		const char *p = o.text + strspn(o.text, "\"'");
		r->included |= !strncmp(p, "-include", 8) || !strncmp(p, "-imacros", 8);
		if (strncmp(p, "-D", 2) && strncmp(p, "-U", 2))
			continue;
		bool off = p[1] == 'U';
		p += 2;
		p += strspn(p, " \t\n\"'");
		size_t n = scan_word(p), len = strcspn(p + n, "\"'");
		define(r, p, n, off ? NULL : len && p[n] == '=' ? arena_strndup(r->a, p + n + 1, len - 1) : "1", 0);
	}
}

/* ---- conditions ---- */

typedef struct Value {
	bool known;
	i64 v;
	const char *word; /* it is no more than this, of n letters; else n is 0 */
	size_t n;
	const char *on;   /* options that make it true, NULL: not known */
} Value;

typedef struct Expression {
	const Reader *r;
	const char *p;
	u32 depth;
	bool bad; /* no expression that is understood */
} Expression;

static Value expression(Expression *e, u32 level);

static Value integer(const char *text)
{
	char *end;
	i64 v = strtoll(text, &end, 0);
	return (Value){.known = end != text && !end[strspn(end, "uUlL \t)")], .v = v};
}

/* The options that define it so, if it is not defined already; value NULL: to anything. */
static const char *defining(const Reader *r, const char *name, size_t n, const char *value, size_t nvalue)
{
	if (!n || isdigit((u8)*name) || is_compilers(name) || defined(r, name, n) == ON)
		return NULL;
	return value ? arena_printf(r->a, "-D %.*s=%.*s", (int)n, name, (int)nvalue, value)
	             : arena_printf(r->a, "-D %.*s", (int)n, name);
}

/* The operand of `defined`. */
static Value is_defined(Expression *e)
{
	bool open = scan_take(&e->p, "(");
	scan_skip(&e->p);
	const char *name = e->p;
	size_t n = scan_word(name);
	State s = defined(e->r, name, n);
	e->p += n;
	e->bad |= !n || (open && !scan_take(&e->p, ")"));
	return (Value){.known = s != UNKNOWN, .v = s == ON, .on = defining(e->r, name, n, NULL, 0)};
}

static Value primary(Expression *e)
{
	scan_skip(&e->p);
	if (scan_take(&e->p, "(")) {
		Value v = expression(e, 0);
		e->bad |= !scan_take(&e->p, ")");
		return v;
	}
	size_t n = scan_word(e->p);
	const char *word = e->p;
	e->p += n;
	if (!n)
		e->bad = true;
	if (n == 4 && !memcmp(word, "true", 4)) /* of C++ */
		return (Value){.known = true, .v = 1};
	if (n == 7 && !memcmp(word, "defined", 7))
		return is_defined(e);
	Value v = {0};
	if (n && isdigit((u8)*word)) {
		v = integer(arena_strndup(e->r->a, word, n));
	} else if (n) {
		const Macro *m = macro_of(e->r, word, n);
		e->bad |= scan_take(&e->p, "("); /* a macro with arguments */
		v = m && m->value ? integer(m->value) : (Value){.known = defined(e->r, word, n) == OFF};
		v.on = defining(e->r, word, n, "1", 1);
	}
	v.word = word;
	v.n = n;
	return v;
}

/* Of two operands, by their level and which operator of that it is. */
static Value combined(const Reader *r, u32 level, u32 operator, const Value *a, const Value *b)
{
	bool both = a->known && b->known, a_on = a->known && a->v, b_on = b->known && b->v;
	switch (level) {
	case 0: return (Value){.known = both || a_on || b_on, .v = a_on || b_on};
	case 1: {
		bool a_off = a->known && !a->v, b_off = b->known && !b->v;
		const char *on = a_on            ? b->on
		                 : b_on          ? a->on
		                 : a->on && b->on ? arena_printf(r->a, "%s %s", a->on, b->on)
		                                  : NULL;
		return (Value){.known = both || a_off || b_off, .v = !a_off && !b_off, .on = on};
	}
	case 2:
		return (Value){.known = both, .v = operator ? a->v != b->v : a->v == b->v,
		               .on = operator || !b->n ? NULL : defining(r, a->word, a->n, b->word, b->n)};
	default: {
		const bool v[] = {a->v <= b->v, a->v >= b->v, a->v < b->v, a->v > b->v};
		return (Value){.known = both, .v = v[operator]};
	}
	}
}

/* Unary operators and those of two operands, by how tightly they bind. */
static Value expression(Expression *e, u32 level)
{
	static const char *const operators[][4] = {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}};
	if (++e->depth > DEEPEST * COUNT(operators))
		e->bad = true;
	Value a = {0};
	if (!e->bad && level == COUNT(operators)) {
		bool no = scan_take(&e->p, "!");
		a = no ? expression(e, level) : primary(e);
		a = no ? (Value){.known = a.known, .v = !a.v} : a;
	} else if (!e->bad) {
		a = expression(e, level + 1);
	}
	for (u32 i = 0; !e->bad && level < COUNT(operators) && i < 4 && operators[level][i];) {
		if (!scan_take(&e->p, operators[level][i])) {
			i++;
			continue;
		}
		Value b = expression(e, level + 1);
		a = combined(e->r, level, i, &a, &b);
		i = 0;
	}
	e->depth--;
	return a;
}

/* Of "#ifdef X", "#ifndef X", "#if …", "#elif …". */
static Condition condition(const Reader *r, const char *directive)
{
	Condition c = {.text = directive};
	const char *p = directive + 1;
	size_t n = scan_word(p);
	bool ifdef = n == 5 && !memcmp(p, "ifdef", 5), ifndef = n == 6 && !memcmp(p, "ifndef", 6);
	p += n;
	scan_skip(&p);
	if (ifdef || ifndef) {
		c.name = p;
		c.n = scan_word(p);
		c.ifndef = ifndef;
		c.on = defining(r, p, c.n, NULL, 0);
		c.state = defined(r, p, c.n);
		c.state = ifdef || c.state == UNKNOWN ? c.state : c.state == ON ? OFF : ON;
		return c;
	}
	Expression e = {r, p, 0, false};
	Value v = expression(&e, 0);
	scan_skip(&e.p);
	c.state = e.bad || *e.p || !v.known ? UNKNOWN : v.v ? ON : OFF;
	if (e.bad || *e.p)
		return c;
	c.name = v.word;
	c.n = v.n;
	c.on = v.on;
	return c;
}

static State taken_now(State before, State now)
{
	return before == ON ? OFF : now == OFF ? OFF : before == OFF ? now : UNKNOWN;
}

/* Are lines that are read now compiled? */
static State state_of(const Reader *r)
{
	const Branch *b = r->branches.n ? &r->branches.v[r->branches.n - 1] : NULL;
	return !b ? ON : b->state < b->around ? b->state : b->around;
}

/* ---- what would turn one on ---- */

/* A name of which the value, or that it has none, keeps a branch off. */
static const char *because_defined(const Reader *r, const char *name, size_t n)
{
	const Macro *m = macro_of(r, name, n);
	if (!m || !m->value)
		return NULL;
	return m->line ? arena_printf(r->a, "line %u defines %s, which turns it off", m->line, m->name)
	               : arena_printf(r->a, "leave out -D %s, which turns it off", m->name);
}

static const char *how(const Reader *r, const Branch *b)
{
	const Condition *c = &b->when;
	if (!c->text || (!b->is_else && b->earlier == ON))
		return NULL;
	if (c->n && b->is_else != c->ifndef) /* off because there is a name */
		return because_defined(r, c->name, c->n);
	if ((b->is_else && !c->ifndef) || !c->on)
		return NULL;
	return arena_printf(r->a, "compile it with %s", c->on);
}

/* ---- the text ---- */

/* A line, with those that a backslash joins to it, without comments. */
static const char *directive(Reader *r)
{
	Buf out = {0};
	const char *p = r->p;
	for (; *p && *p != '\n'; p++) {
		if (*p == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'))) {
			p += p[1] == '\r' ? 2 : 1;
			r->line++;
		} else if (*p == '/' && p[1] == '/') {
			p += strcspn(p, "\n");
			break;
		} else if (*p == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			for (; *p && p != end; p++)
				r->line += *p == '\n';
			if (!end)
				break;
			p++;
			buf_printf(&out, " ");
		} else if (*p != '#' || out.n) {
			buf_write(&out, *p == '\t' || *p == '\r' ? " " : p, 1);
		} else { /* "#  if" is "#if" */
			buf_printf(&out, "#");
			p += strspn(p + 1, " \t");
		}
	}
	r->p = p;
	while (out.n && out.v[out.n - 1] == ' ')
		out.v[--out.n] = 0;
	return buf_keep(&out, r->a);
}

static void begin_branch(Reader *r, const char *text, u32 line)
{
	Branch b = {.when = condition(r, text), .line = line, .around = state_of(r)};
	b.state = b.when.state;
	array_push(&r->branches, b);
}

static void next_branch(Reader *r, const char *text, u32 line)
{
	if (!r->branches.n)
		return;
	Branch *b = &r->branches.v[r->branches.n - 1];
	bool is_else = is_directive(text, "else"),
	     first = b->when.text && !strncmp(b->when.text, "#if", 3) && !b->is_else;
	b->earlier = b->earlier > b->state ? b->earlier : b->state;
	b->when = !is_else ? condition(r, text) : first ? b->when : (Condition){0};
	b->state = taken_now(b->earlier, is_else ? ON : b->when.state);
	b->is_else = is_else;
	b->line = line;
}

static void obey(Reader *r)
{
	u32 line = r->line;
	const char *text = directive(r), *p = text + 1;
	size_t word = scan_word(p);
	p += word;
	scan_skip(&p);
	size_t n = scan_word(p);
	if (!strncmp(text, "#if", 3))
		begin_branch(r, text, line);
	else if (is_directive(text, "elif") || is_directive(text, "else"))
		next_branch(r, text, line);
	else if (is_directive(text, "endif"))
		r->branches.n -= r->branches.n > 0;
	else if (state_of(r) == OFF)
		return;
	else if (is_directive(text, "include"))
		r->included = true;
	else if (is_directive(text, "define") || is_directive(text, "undef"))
		define(r, p, n, text[1] == 'u' ? NULL : p[n] == '(' ? "" : p + n + strspn(p + n, " "), line);
}

static bool is_one_of(const char *p, size_t n, const char *const *words, u32 count)
{
	for (u32 i = 0; i < count; i++)
		if (strlen(words[i]) == n && !memcmp(words[i], p, n))
			return true;
	return false;
}

/* Read on to the name of a kernel's function; its length, or 0. */
static size_t next_kernel(Reader *r)
{
	static const char *const starts[] = {"kernel", "__kernel"};
	static const char *const attributes[] = {"__attribute__", "__launch_bounds__"};
	bool kernel = false, fresh = true; /* fresh: nothing but blanks on this line */
	u32 depth = 0;                     /* of parentheses */
	while (*r->p) {
		if (*r->p == '#' && fresh) {
			obey(r);
			continue;
		}
		SrcStep step;
		source_next(&r->p, &step);
		u32 line = r->line;
		for (size_t i = 0; i < step.n; i++)
			r->line += step.at[i] == '\n';
		if (step.kind == SRC_BLANK) {
			fresh |= r->line > line;
		} else if (step.kind == SRC_OTHER) {
			char c = *step.at;
			depth = c == '(' ? depth + 1 : c == ')' && depth ? depth - 1 : depth;
			kernel = kernel && c != ';' && c != '{' && c != '}' && (c != ',' || depth);
			depth = kernel ? depth : 0;
			fresh = false;
		} else if (step.kind == SRC_WORD) {
			const char *behind = r->p;
			scan_skip(&behind);
			fresh = false;
			bool global = source_is(&step, "__global__");
			if (global || is_one_of(step.at, step.n, starts, COUNT(starts)))
				kernel = true, r->global = global;
			if (kernel && !depth && *behind == '(' &&
			    !is_one_of(step.at, step.n, attributes, COUNT(attributes)))
				return step.n;
		}
	}
	return 0;
}

/* Between quotes, and not all of a long one. */
static const char *quoted(const Reader *r, const char *text)
{
	enum { SHOWN = 80 };
	return arena_printf(r->a, "'%.*s%s'", SHOWN, text, strlen(text) > SHOWN ? "..." : "");
}

static void describe(const Reader *r, LeftOut *out)
{
	const Branch *off = NULL, *inner = NULL;
	u32 open = 0;
	for (u32 i = 0; i < r->branches.n; i++) {
		const Branch *b = &r->branches.v[i];
		off = !off && b->state == OFF ? b : off;
		inner = b->state == UNKNOWN ? b : inner;
		open += b->state == UNKNOWN;
	}
	out->sure = off || open == 1;
	const Branch *b = off ? off : inner;
	const char *of = b->when.text ? quoted(r, b->when.text) : "";
	out->what = b->is_else ? arena_printf(r->a, "the #else in line %u%s%s", b->line, *of ? " of " : "", of)
	                       : arena_printf(r->a, "%s in line %u", of, b->line);
	out->how = how(r, b);
}

bool left_out_find(const char *text, const char *options, const char *name, Arena *a, LeftOut *out)
{
	Reader r = {.a = a, .p = text, .line = 1};
	bool found = false;
	take_options(&r, options);
	for (size_t n; !found && (n = next_kernel(&r));) {
		const char *word = r.p - n;
		if ((name && (strlen(name) != n || memcmp(word, name, n))) || state_of(&r) == ON)
			continue;
		if (r.global && state_of(&r) != OFF) /* a template that nobody instantiates is not there, either */
			continue;
		const char *start = word;
		while (start > text && start[-1] != '\n')
			start--;
		*out = (LeftOut){
		    .name = arena_strndup(a, word, n), .line = r.line, .column = (u32)(word - start) + 1};
		describe(&r, out);
		found = true;
	}
	array_free(&r.macros);
	array_free(&r.branches);
	return found;
}
