/* Findings as SARIF 2.1.0 (OASIS), for code scanning and editors: one run, a rule for each kind of
 * finding that occurred, a result for each finding. */
#include "report/json_kit.h"
#include "report/report.h"

static const char *level_of(const ResultFinding *f)
{
	bool same = !strcmp(f->severity, "error") || !strcmp(f->severity, "warning");
	return same ? f->severity : "note";
}

/* A path as a URI: relative ones stay so, below the folder the tool ran in. */
static char *uri_of(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	Buf b = {0};
	buf_printf(&b, "%s", *path == '/' ? "file://" : "");
	for (; *path; path++)
		buf_printf(&b, strchr(plain, *path) ? "%c" : "%%%02X", (u8)*path);
	return b.v;
}

/* Columns of SARIF count characters, ours bytes. */
static u32 column_of(const char *source, u32 col)
{
	u32 column = 1, n = source ? (u32)strlen(source) : 0;
	if (col > n + 1)
		return col;
	for (u32 i = 0; i + 1 < col; i++)
		column += i + 1 < n && ((u8)source[i + 1] & 0xC0) != 0x80;
	return col == n + 1 && n ? column + 1 : column;
}

static void put_message(cJSON *o, const char *key, const char *text)
{
	json_text(cJSON_AddObjectToObject(o, key), "text", text);
}

/* The index of the finding's rule. */
static u32 rule_of(cJSON *rules, const ResultFinding *f)
{
	u32 i = 0;
	const cJSON *k;
	cJSON_ArrayForEach(k, rules) {
		if (!strcmp(cJSON_GetObjectItem(k, "id")->valuestring, f->id))
			return i;
		i++;
	}
	cJSON *rule = json_row(rules);
	json_text(rule, "id", f->id);
	if (f->hint)
		put_message(rule, "help", f->hint);
	json_text(cJSON_AddObjectToObject(rule, "defaultConfiguration"), "level", level_of(f));
	return i;
}

/* file NULL: no line is known. */
static cJSON *put_location(cJSON *list, const Result *r, const char *file, u32 line, u32 col, const char *source)
{
	cJSON *location = json_row(list), *place;
	place = cJSON_AddObjectToObject(location, "physicalLocation");
	cJSON *artifact = cJSON_AddObjectToObject(place, "artifactLocation");
	char *uri = uri_of(file ? file : r->file);
	json_text(artifact, "uri", uri);
	free(uri);
	if (file && line) {
		cJSON *region = cJSON_AddObjectToObject(place, "region");
		json_int(region, "startLine", line);
		if (col)
			json_int(region, "startColumn", column_of(source, col));
		if (source)
			put_message(region, "snippet", source);
	}
	cJSON *logical = json_row(cJSON_AddArrayToObject(location, "logicalLocations"));
	json_text(logical, "name", r->kernel);
	json_text(logical, "kind", "function");
	return location;
}

/* The other access of a race, or where a value was read. */
static void put_related(cJSON *result, const Result *r, const ResultFinding *f)
{
	const ResultAccess *o = f->other;
	cJSON *list = cJSON_AddArrayToObject(result, "relatedLocations");
	cJSON *location = put_location(list, r, o->at.file, o->at.line, o->at.col, o->at.source);
	json_int(location, "id", 1);
	put_message(location, "message",
	            finding_is_race(f) ? arena_printf(r->arena, "the %s before it", o->did) : "where it was read");
}

static void put_result(cJSON *results, cJSON *rules, const Result *r, const ResultFinding *f)
{
	cJSON *o = json_row(results);
	json_text(o, "ruleId", f->id);
	json_int(o, "ruleIndex", rule_of(rules, f));
	json_text(o, "level", level_of(f));
	put_message(o, "message", f->message);
	put_location(cJSON_AddArrayToObject(o, "locations"), r, f->at.file, f->at.line, f->at.col, f->at.source);
	if (f->other)
		put_related(o, r, f);
	if (f->count)
		json_int(o, "occurrenceCount", f->count);
	cJSON *more = cJSON_AddObjectToObject(o, "properties");
	if (f->advice && f->after_us >= 0 && f->before_us > 0) {
		double gain = 100 * (f->before_us - f->after_us) / f->before_us;
		json_ratio(o, "rank", gain < 0 ? 0 : gain > 100 ? 100 : gain);
		json_ratio(more, "gainUs", f->before_us - f->after_us);
	}
	if (f->class)
		json_text(more, "class", f->class);
	if (f->hint)
		json_text(more, "hint", f->hint);
	if (f->has_place) {
		json_3(more, "globalId", f->global_id);
		json_3(more, "localId", f->local_id);
		json_3(more, "groupId", f->group_id);
		JSON(more, *f, wave, lane);
	}
}

void sink_sarif(const Result *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	cJSON *root = cJSON_CreateObject(), *run = cJSON_CreateObject();
	json_text(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_text(root, "version", "2.1.0");
	cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "runs"), run);
	cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
	json_text(driver, "name", "wavesim");
	json_text(driver, "version", WAVESIM_VERSION);
	cJSON *rules = cJSON_AddArrayToObject(driver, "rules");
	json_text(run, "columnKind", "unicodeCodePoints");
	cJSON *results = cJSON_AddArrayToObject(run, "results");
	for (u32 i = 0; i < r->findings.n; i++)
		put_result(results, rules, r, &r->findings.v[i]);
	cJSON *launch = cJSON_AddObjectToObject(run, "properties");
	JSON(launch, *r, kernel, device, options);
	json_finish(root, out);
}
