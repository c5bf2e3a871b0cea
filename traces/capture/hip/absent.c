/* What is not there says so at the call, by its name (absent.def). HIP's headers are not seen here: they declare these
 * functions, with arguments that nobody reads. */
extern int hip_absent(const char *call); /* of error.c; HIP's errors are as wide */
extern int hip_absent_linker(const char *call);

#define EXPORTED __attribute__((visibility("default")))
#define ABSENT_AS(symbol, name) \
	extern int symbol(void); \
	EXPORTED int symbol(void) { return hip_absent(#name); }
#define ABSENT(symbol) ABSENT_AS(symbol, symbol)
#define ABSENT_LINKER(symbol) \
	extern int symbol(void); \
	EXPORTED int symbol(void) { return hip_absent_linker(#symbol); }
#include "traces/capture/hip/absent.def"
