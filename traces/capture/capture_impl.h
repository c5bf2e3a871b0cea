/* Records of launch files as bytes (private to traces/capture/capture_*.c). Those of other kinds than CHUNK are read
 * whole; unpacked and decoded all of them together may take CODEC_ROOM of the file's bytes: a few damaged bytes can ask
 * for any amount. */
#ifndef WAVESIM_CAPTURE_IMPL_H
#define WAVESIM_CAPTURE_IMPL_H

#include "base/codec.h"
#include "traces/capture/capture.h"

typedef enum {
	REC_HOST = 1,
	REC_DEVICE,
	REC_PROGRAM,
	REC_CHUNK,
	REC_CONTENT,
	REC_LAUNCH,
	REC_END,
	REC_REFUSED,
	REC_MISUSE,
	REC_FAILED,
} RecKind;
enum { REC_PACKED = 1 << 16 }; /* in kind: zstd */

#define CAP_MAGIC "WSLAUNCH"
typedef struct CapHead {
	char magic[8];
	u32 version;
	u32 sum; /* of what comes before */
} CapHead;

typedef struct RecHead {
	u32 kind; /* RecKind, REC_PACKED */
	u32 zero;
	u64 stored, unpacked; /* bytes of the payload */
	u64 sum; /* of the above and the payload */
} RecHead;

/* Its size and the numbers of its chunks. */
typedef struct CapContent {
	u64 size;
	u32 *chunks;
	u32 nchunks;
} CapContent;

/* ---- capture_code.c ---- */
void code_host(Codec *c, CapHost *h);
void code_device(Codec *c, CapDevice *d);
void code_launch(Codec *c, CapLaunch *l);
void code_refused(Codec *c, CapRefused *r);
void code_failed(Codec *c, CapFailed *f);
void code_misuse(Codec *c, CapMisuse *m);
void code_content(Codec *c, CapContent *t);
u32 cap_head_sum(const CapHead *h);
u64 cap_record_sum(const RecHead *h, const void *payload);

#endif
