/* Parts of libraries: what is in them, and which of them a process keeps. */
#include "base/temp.h"
#include "frontend/module/library_part.h"
#include "frontend/module/llvm.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

void suite_library_part(void);

/* called() calls deeper(); also() is another name of it; both are linked on demand, as those of AMD's library. */
static bool write_library(const char *path, const char *more)
{
	static const char text[] = "define i32 @deeper(i32 %x) {\n  ret i32 %x\n}\n"
				   "define i32 @called(i32 %x) {\n  %r = call i32 @deeper(i32 %x)\n  ret i32 %r\n}\n"
				   "define i32 @other(i32 %x) {\n  ret i32 %x\n}\n"
				   "@also = alias i32 (i32), ptr @called\n";
	LLVMContextRef context = llvm_context();
	LLVMModuleRef mod = LLVMModuleCreateWithNameInContext("library", context);
	char *why;
	bool ok = llvm_link_text(mod, text, sizeof text - 1, &why) && llvm_link_text(mod, more, strlen(more), &why);
	llvm_each_function(mod, f)
		LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
	LLVMSetLinkage(LLVMGetNamedGlobalAlias(mod, "also", 4), LLVMLinkOnceODRLinkage);
	ok = ok && !LLVMWriteBitcodeToFile(mod, path);
	LLVMDisposeModule(mod);
	LLVMContextDispose(context);
	return ok;
}

static bool has(LLVMModuleRef mod, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(mod, name);
	return (f && !LLVMIsDeclaration(f)) || LLVMGetNamedGlobalAlias(mod, name, strlen(name));
}

/* Which of these the part with `names` has, as the bits of a number. */
static u32 part_of(const char *path, const char *const *names, u32 n)
{
	static const char *const all[] = {"deeper", "called", "other", "also", "later"};
	Arena *a = arena_new();
	LibraryPart part = {0};
	LLVMContextRef context = llvm_context();
	char *why;
	u32 found = 0;
	for (u32 i = 0; i < n; i++)
		library_part_add(&part, a, names[i]);
	LLVMModuleRef mod = library_part_open(&part, context, path, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mod);
	for (u32 i = 0; i < COUNT(all); i++)
		found |= has(mod, all[i]) ? 1u << i : 0;
	LLVMDisposeModule(mod);
	LLVMContextDispose(context);
	library_part_free(&part);
	arena_free(a);
	return found;
}

static void contents(void)
{
	enum { DEEPER = 1, CALLED = 2, OTHER = 4, ALSO = 8, LATER = 16 };
	static const char *const called[] = {"nobody", "called"}, *const also[] = {"also"}, *const other[] = {"other"},
				 *const later[] = {"later", "other"};
	char dir[TEMP_PATH], path[TEMP_PATH + 16];
	CU_ASSERT_FATAL(temp_make(dir));
	snprintf(path, sizeof path, "%s/library.bc", dir);
	CU_ASSERT_FATAL(write_library(path, ""));
	for (u32 again = 0; again < 2; again++) { /* also those that are kept */
		CU_ASSERT_EQUAL(part_of(path, called, 2), DEEPER | CALLED);
		CU_ASSERT_EQUAL(part_of(path, also, 1), DEEPER | CALLED | ALSO);
		CU_ASSERT_EQUAL(part_of(path, other, 1), OTHER);
		CU_ASSERT_EQUAL(part_of(path, NULL, 0), 0);
		CU_ASSERT_EQUAL(part_of(path, later, 2), OTHER);
	}
	/* Another file of that name is another library. */
	CU_ASSERT_FATAL(!remove(path) &&
			write_library(path, "define i32 @later(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"));
	CU_ASSERT_EQUAL(part_of(path, later, 2), OTHER | LATER);
	for (u32 i = 0; i < 40; i++) { /* more than are kept */
		char name[16];
		snprintf(name, sizeof name, "none%u", i);
		const char *const names[] = {name, "called"};
		CU_ASSERT_EQUAL(part_of(path, names, 2), DEEPER | CALLED);
	}
	CU_ASSERT_EQUAL(part_of(path, called, 2), DEEPER | CALLED);
	temp_remove(dir);
}

static void kept(void)
{
	char dir[TEMP_PATH], path[TEMP_PATH + 16], *why;
	Arena *a = arena_new();
	LibraryPart part = {0}, other = {0};
	CU_ASSERT_FATAL(temp_make(dir));
	snprintf(path, sizeof path, "%s/library.bc", dir);
	CU_ASSERT_FATAL(write_library(path, ""));
	library_part_add(&part, a, "called");
	library_part_add(&other, a, "other");
	const Buf *first = library_part_bytes(&part, path, &why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	const Buf *second = library_part_bytes(&other, path, &why);
	CU_ASSERT_TRUE(second && second != first);
	CU_ASSERT_PTR_EQUAL(library_part_bytes(&part, path, &why), first);
	/* As large as before, and written later, however coarse the clock is. */
	CU_ASSERT_FATAL(!remove(path) && write_library(path, ""));
	struct timespec later[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) + 2}};
	CU_ASSERT_FATAL(!utimensat(AT_FDCWD, path, later, 0));
	second = library_part_bytes(&part, path, &why);
	CU_ASSERT_TRUE(second && second != first);
	library_part_free(&part);
	library_part_free(&other);
	arena_free(a);
	temp_remove(dir);
}

static void unreadable(void)
{
	char dir[TEMP_PATH], path[TEMP_PATH + 16], *why;
	LibraryPart part = {0};
	CU_ASSERT_FATAL(temp_make(dir));
	snprintf(path, sizeof path, "%s/library.bc", dir);
	CU_ASSERT_PTR_NULL(library_part_bytes(&part, path, &why));
	CU_ASSERT_PTR_NOT_NULL(why);
	LLVMDisposeMessage(why);
	FILE *f = fopen(path, "wb");
	CU_ASSERT_FATAL(f != NULL);
	fputs("no bitcode", f);
	fclose(f);
	CU_ASSERT_PTR_NULL(library_part_bytes(&part, path, &why));
	LLVMDisposeMessage(why);
	temp_remove(dir);
}

/* ---- excerpts ---- */

/* Functions f0, f1, …: enough for an excerpt. */
static bool write_large(const char *path, const char *more)
{
	enum { FUNCTIONS = 1000 };
	Buf text = {0};
	for (u32 i = 0; i < FUNCTIONS; i++)
		buf_printf(&text, "define i32 @f%u(i32 %%x) {\n  ret i32 %u\n}\n", i, i);
	buf_printf(&text, "%s", more);
	bool ok = write_library(path, text.v);
	array_free(&text);
	return ok;
}

/* Called in place of a file's own: whether it is made from the excerpt shows in the part. */
static const char calls_later[] = "define i32 @later(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"
				  "define i32 @plain(i32 %x) {\n  %y = call i32 @later(i32 %x)\n  ret i32 %y\n}\n",
		  calls_none[] = "define i32 @plain(i32 %x) {\n  ret i32 %x\n}\n"
				 "define i32 @later(i32 %x) {\n  ret i32 %x\n}\n";

static Excerpt excerpt_of(const char *path, const char *const *names, u32 n, Arena *a)
{
	ExcerptWant want = {.path = path, .file = path, .names = (const char **)(uintptr_t)names, .n = n};
	Excerpts made = library_excerpts(&(ExcerptWants){&want, 1}, a);
	CU_ASSERT_EQUAL_FATAL(made.n, 1);
	return made.v[0];
}

static void wants(void)
{
	static const char *const called[] = {"nobody", "called", "f7"}, *const more[] = {"f8", "f7"};
	char dir[TEMP_PATH], path[TEMP_PATH + 16], small[TEMP_PATH + 16];
	Arena *a = arena_new();
	CU_ASSERT_FATAL(temp_make(dir));
	snprintf(path, sizeof path, "%s/large.bc", dir);
	snprintf(small, sizeof small, "%s/small.bc", dir);
	CU_ASSERT_FATAL(write_large(path, "") && write_library(small, ""));
	excerpts_want_nothing();
	part_of(small, called, COUNT(called));
	CU_ASSERT_EQUAL(excerpts_wanted().n, 0); /* it takes no time */
	part_of(path, called, COUNT(called));
	ExcerptWants w = excerpts_wanted();
	CU_ASSERT_EQUAL_FATAL(w.n, 1);
	CU_ASSERT_STRING_EQUAL(w.v[0].path, path);
	CU_ASSERT_EQUAL_FATAL(w.v[0].n, 2); /* that the library has */
	CU_ASSERT_STRING_EQUAL(w.v[0].names[0], "called");
	CU_ASSERT_EQUAL(library_excerpts(&w, a).n, 0); /* nobody says that it may be read */
	w.v[0].file = path;
	Excerpts made = library_excerpts(&w, a);
	CU_ASSERT_EQUAL_FATAL(made.n, 1);
	CU_ASSERT_EQUAL(made.v[0].n, 2);
	excerpts_take(&made);
	excerpts_want_nothing();
	part_of(path, &called[1], 1);
	CU_ASSERT_EQUAL(excerpts_wanted().n, 0);
	excerpts_want_nothing();
	part_of(path, more, COUNT(more));
	w = excerpts_wanted();
	CU_ASSERT_EQUAL_FATAL(w.n, 1);
	CU_ASSERT_EQUAL(w.v[0].n, 1);
	CU_ASSERT_STRING_EQUAL(w.v[0].names[0], "f8");
	w.v[0].file = path;
	made = library_excerpts(&w, a); /* with what the first has */
	CU_ASSERT_EQUAL_FATAL(made.n, 1);
	CU_ASSERT_EQUAL(made.v[0].n, 3);
	CU_ASSERT_TRUE(excerpt_has(&made.v[0], "called") && excerpt_has(&made.v[0], "f8"));
	made = library_excerpts(&(ExcerptWants){0}, a);
	CU_ASSERT_EQUAL(made.n, 1); /* is still good */
	CU_ASSERT_FATAL(!remove(path));
	made = library_excerpts(&w, a);
	CU_ASSERT_EQUAL(made.n, 0);
	excerpts_take(&(Excerpts){0});
	arena_free(a);
	temp_remove(dir);
}

static void from_excerpts(void)
{
	enum { LATER = 16 };
	static const char *const plain[] = {"plain"}, *const with_nobody[] = {"nobody", "plain"},
	                  *const with_f1[] = {"f1", "plain"};
	char dir[TEMP_PATH], path[TEMP_PATH + 16], other[TEMP_PATH + 16];
	Arena *a = arena_new();
	Buf state = {0};
	CU_ASSERT_FATAL(temp_make(dir));
	snprintf(path, sizeof path, "%s/library.bc", dir);
	snprintf(other, sizeof other, "%s/other.bc", dir);
	CU_ASSERT_FATAL(write_large(path, calls_none) && write_large(other, calls_later));
	Excerpt e = excerpt_of(other, plain, 1, a);
	e.path = path;
	excerpt_state(path, &state);
	e.state = state.v;
	excerpts_take(&(Excerpts){&e, 1});
	CU_ASSERT_EQUAL(part_of(path, with_nobody, 2), LATER); /* it knows that there is no such function */
	CU_ASSERT_EQUAL(part_of(path, plain, 1), LATER);
	CU_ASSERT_EQUAL(part_of(path, with_f1, 2), 0); /* from the file: the excerpt has no f1, the library has */
	e.on_demand = true; /* of another kind */
	static const char *const again[] = {"plain", "none"};
	CU_ASSERT_EQUAL(part_of(path, again, 2), 0);
	e.on_demand = false;
	e.state = "";
	static const char *const third[] = {"plain", "no"};
	CU_ASSERT_EQUAL(part_of(path, third, 2), 0);
	e.state = state.v;
	e.bytes = (const u8 *)"damaged";
	e.nbytes = strlen("damaged");
	static const char *const fourth[] = {"plain", "not"};
	CU_ASSERT_EQUAL(part_of(path, fourth, 2), 0);
	excerpts_take(&(Excerpts){0});
	array_free(&state);
	arena_free(a);
	temp_remove(dir);
}

void suite_library_part(void)
{
	CU_pSuite s = CU_add_suite("library_part", NULL, NULL);
	CU_add_test(s, "what was asked for, with what it calls", contents);
	CU_add_test(s, "what was asked for before is kept, as long as the file is the same", kept);
	CU_add_test(s, "a library that cannot be read", unreadable);
	CU_add_test(s, "excerpts have what programs wanted so far", wants);
	CU_add_test(s, "a part from an excerpt, where that has all of it", from_excerpts);
}
