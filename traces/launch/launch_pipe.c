/* Pipes: a ring of packets in global memory, as the functions of AMD's device library find it. In front of the packets
 * are three numbers of 8 bytes: packets read so far, packets written so far, and how many there is room for. When the
 * last packet is read, both counts go back to 0. */
#include "traces/launch/launch_spec.h"

enum { PIPE_READ = 0, PIPE_WRITTEN = 8, PIPE_ROOM = 16 };

/* In front of the contents: pipe:ROOM, or pipe:ROOM:; 0: nothing. False: it is wrong. */
static bool room(ArgSpec *s, u64 *packets)
{
	static const char word[] = "pipe";
	*packets = 0;
	if (strncmp(s->p, word, sizeof word - 1) != 0)
		return true;
	const char *at = s->p + sizeof word - 1;
	size_t n = *at == ':' ? strcspn(at + 1, ":") : 0;
	if (!n)
		return spec_bad(s, s->p, "pipe wants its room: pipe:PACKETS");
	const char *text = arena_strndup(s->l->arena, at + 1, n);
	if (!parse_u64(text, packets))
		return spec_bad(s, at + 1, "the room '%s' %s", text, parse_u64_fault(text));
	if (!spec_count(s, at + 1, *packets))
		return false;
	s->p = at + 1 + n;
	if (*s->p != ':')
		return true;
	s->p++;
	return *s->p || spec_bad(s, s->p, "contents are missing behind pipe:%s:", text);
}

bool spec_pipe(ArgSpec *s)
{
	LaunchArg *a = s->out;
	ElemShape packet = a->shape;
	u64 packets;
	const char *first = s->p;
	if (!room(s, &packets))
		return false;
	const char *contents = s->p;
	a->kind = LAUNCH_BUFFER;
	if (*s->p || s->p == first) {
		a->count = 0;
		if (!spec_buffer(s))
			return false;
		if (a->kind == LAUNCH_NULL)
			return spec_bad(s, contents, "a pipe cannot be null");
		if (a->read_only || a->write_only)
			return spec_bad(s, contents,
			                "a pipe takes no ro or wo: the parameter's type says which end the kernel has");
		if (a->shape.stride != packet.stride)
			return spec_bad(s, contents, "a packet of this pipe has %u bytes, one of these %u",
			                packet.stride, a->shape.stride);
		if (a->init == INIT_NONE)
			return spec_bad(s, contents,
			                "packets of a pipe have contents: leave them out for an empty pipe");
		if (a->count_guessed && packets) {
			a->count = packets;
			a->count_guessed = false;
		}
		a->packets = a->count;
	}
	if (packets && a->packets > packets)
		return spec_bad(s, contents, "%llu packets are more than the pipe has room for",
		                (unsigned long long)a->packets);
	launch_pipe_room(a, packets ? packets : a->count);
	return true;
}

void launch_pipe_room(LaunchArg *a, u64 packets)
{
	a->pipe = true;
	a->count = packets;
	launch_set_buffer_size(a);
}

LaunchArg launch_pipe_contents(const LaunchArg *pipe)
{
	LaunchArg a = *pipe;
	a.pipe = false;
	a.count = a.packets;
	launch_set_buffer_size(&a);
	return a;
}

void launch_pipe_begin(const LaunchArg *a, u8 *pipe)
{
	memcpy(pipe + PIPE_WRITTEN, &a->packets, sizeof a->packets);
	memcpy(pipe + PIPE_ROOM, &a->count, sizeof a->count);
}

u64 launch_pipe_at(const LaunchArg *a, const u8 *pipe, u64 packet)
{
	u64 read;
	memcpy(&read, pipe + PIPE_READ, sizeof read);
	return PIPE_HEADER + (read % a->count + packet) % a->count * a->shape.stride;
}

static u64 packets_held(const LaunchArg *a, const u8 *pipe)
{
	u64 read, written;
	memcpy(&read, pipe + PIPE_READ, sizeof read);
	memcpy(&written, pipe + PIPE_WRITTEN, sizeof written);
	return written - read < a->count ? written - read : a->count; /* a kernel may write anything there */
}

u64 launch_pipe_packets(const LaunchArg *a, const u8 *pipe, u8 *out)
{
	u64 n = packets_held(a, pipe);
	for (u64 i = 0; i < n; i++)
		memcpy(out + i * a->shape.stride, pipe + launch_pipe_at(a, pipe, i), a->shape.stride);
	return n;
}
