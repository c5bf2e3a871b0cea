/* A Result owns its memory. */
#include "engine/result.h"
#include "report/report.h"
#include "traces/capture/capture.h"

#include <CUnit/CUnit.h>

void suite_result(void);

/* Everything that goes in is overwritten; what the formats say of the Result stays the same. */
static void owns_its_memory(void)
{
	Arena *a = arena_new();
	Diag d;
	diag_init(&d);
	Device dev;
	CU_ASSERT_TRUE_FATAL(device_load(&dev, "mi50", NO_LOC, a, &d));
	char words[7][16] = {"k", "k.cl", "line\nline\n", "float", "--local 64", "7.5", "out"}, printed[] = "hello\n";
	char device_name[] = "mi50", title[] = "a title";
	dev.name = device_name;
	dev.title = title;
	Program p = {.kernel = words[0]};
	const char *file = words[1];
	array_push(&p.files, file);
	Profile run = {
	    .wave = 64, .banks = 32, .line_bytes = 64, .groups = 1, .groups_run = 1, .waves = 1, .work_items = 64};
	buf_printf(&run.printed, "%s", printed);
	RefBuffer buffer = {.name = words[6], .type = words[3], .against = words[6], .elements = 4, .mismatches = 1,
	                    .width = 1, .first = {{.actual = words[5], .expected = words[5]}}, .nfirst = 1};
	Reference ref = {.status = REF_different, .why = words[2], .checked = 4, .mismatches = 1, .builtins = words[0],
	                 .buffers = &buffer, .nbuffers = 1};
	ResultSource source = {.name = words[1], .text = words[2]};
	MachineCode code = {.missing = words[2]};
	LdsRule lds = {.banks = 32};
	ResultInput in = {.program = &p, .profile = &run, .machine = &code, .device = &dev, .lds = &lds,
	                  .file = words[1], .dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1},
	                  .groups = {1, 1, 1}, .options = words[4], .guessed = words[4], .given = words[4],
	                  .reference = &ref, .sources = &source};
	Result *r = result_build(&in);
	Buf before = {0}, after = {0};
	SinkStyle plain = {.max_findings = 10};
	for (u32 i = 0; i < SINK_COUNT; i++)
		sinks[i].write(r, &plain, &before);
	memset(words, 'x', sizeof words);
	memset(run.printed.v, 'x', run.printed.n);
	memset(device_name, 'x', sizeof device_name);
	memset(title, 'x', sizeof title);
	array_free(&p.files);
	array_free(&run.printed);
	p = (Program){0};
	dev = (Device){0};
	ref = (Reference){0};
	buffer = (RefBuffer){0};
	lds = (LdsRule){0};
	source = (ResultSource){0};
	arena_free(a);
	for (u32 i = 0; i < SINK_COUNT; i++)
		sinks[i].write(r, &plain, &after);
	CU_ASSERT_TRUE(before.n > 1000);
	CU_ASSERT_STRING_EQUAL(before.v, after.v);
	array_free(&before);
	array_free(&after);
	result_free(r);
	diag_free(&d);
}

/* What the host program did wrong is no reason for what the kernel leaves; what the kernel did wrong is, by name. */
static void names_reasons(void)
{
	Arena *a = arena_new();
	Diag d;
	diag_init(&d);
	Device dev;
	CU_ASSERT_TRUE_FATAL(device_load(&dev, "mi50", NO_LOC, a, &d));
	Program p = {.kernel = "k"};
	array_push(&p.ins, (Ins){.op = OP_barrier});
	RefBuffer buffer = {
	    .name = "out", .type = "int", .against = "PoCL", .elements = 4, .mismatches = 1, .width = 1};
	Reference ref = {.status = REF_different, .checked = 4, .mismatches = 1, .buffers = &buffer, .nbuffers = 1};
	MachineCode code = {.missing = "none"};
	LdsRule lds = {.banks = 32};
	CapMisuse leak = {.number = 1, .count = 1, .text = "clCreateBuffer without clReleaseMemObject"};
	CapFile file = {0};
	const CapFile *files = &file;
	array_push(&file.misuses, leak);
	for (u32 fault = 0; fault < 2; fault++) {
		Profile run = {.wave = 64, .banks = 32, .line_bytes = 64, .groups = 1, .groups_run = 1, .waves = 1,
		               .work_items = 64};
		run.accesses = ARENA_ARRAY(a, AccessProf, 1);
		Finding race = {.kind = FINDING_out_of_bounds, .count = 1, .bytes = 4, .own.ins = NO_INS,
		                .origin.ins = NO_INS, .other.ins = NO_INS};
		if (fault)
			array_push(&run.findings, race);
		ResultInput in = {.program = &p, .profile = &run, .machine = &code, .device = &dev, .lds = &lds,
		                  .file = "k.cl", .dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1},
		                  .groups = {1, 1, 1}, .options = "", .guessed = "", .given = "", .reference = &ref,
		                  .misuses = &files, .nmisuses = 1};
		Result *r = result_build(&in);
		bool says = false;
		for (u32 i = 0; i < r->findings.n; i++)
			if (!strcmp(r->findings.v[i].id, "reference_mismatch"))
				says = !strncmp(r->findings.v[i].hint, "first fix out_of_bounds: ", 25);
		CU_ASSERT_EQUAL(r->findings.n, 2 + fault);
		CU_ASSERT_EQUAL(says, fault);
		result_free(r);
		array_free(&run.findings);
	}
	array_free(&file.misuses);
	array_free(&p.ins);
	arena_free(a);
	diag_free(&d);
}

void suite_result(void)
{
	CU_pSuite s = CU_add_suite("result", NULL, NULL);
	CU_add_test(s, "all that went in may be freed", owns_its_memory);
	CU_add_test(s, "why results differ", names_reasons);
}
