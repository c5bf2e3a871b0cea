/* The process that runs kernels: started at the first launch, with the socket that it is asked through and the file
 * that memory of the device is. It ends with the program. Each source that the program compiles has a process of its
 * own, so that threads need not wait for each other. */
#include "traces/capture/hip/hip.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int memory = -1, to_it = -1;
static bool tried_memory, tried;

int hip_memory(void)
{
	if (tried_memory)
		return memory;
	tried_memory = true;
	void *want = (void *)(uintptr_t)GPU_MEMORY;
	int fd = memfd_create("wavesim", MFD_CLOEXEC);
	if (fd >= 0 && !ftruncate(fd, (off_t)(2 * GPU_MEMORY_BYTES)) &&
	    mmap(want, GPU_MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd,
	         0) == want)
		memory = fd;
	else
		hip_say("memory of the device", "%s", strerror(errno));
	return memory;
}

/* Numbers that are out of the way of those that the process gets. */
static int away(int fd)
{
	int moved = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 16) : -1;
	if (fd >= 0)
		close(fd);
	return moved;
}

/* file: memory, or -1. What it is asked through: its own end of it becomes *mine. */
static int spawn(char *const *words, int file, int *mine, pid_t *pid)
{
	int ends[2];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return errno;
	ends[0] = away(ends[0]);
	ends[1] = away(ends[1]);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP); /* Ctrl-C is the program's to hear */
	posix_spawn_file_actions_adddup2(&files, ends[1], GPU_SOCKET_FD);
	if (file >= 0)
		posix_spawn_file_actions_adddup2(&files, file, GPU_MEMORY_FD);
	int why = posix_spawn(pid, hip.helper, &files, &how, words, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	close(ends[1]);
	if (why)
		close(ends[0]);
	*mine = why ? -1 : ends[0];
	return why;
}

static bool start(void)
{
	char wave[16];
	pid_t pid;
	if (tried)
		return to_it >= 0;
	tried = true;
	if (hip_memory() < 0 || !hip.helper)
		return false;
	memory = away(memory);
	snprintf(wave, sizeof wave, "%u", hip.device.wave);
	char *const words[] = {(char[]){"wavesim-helper"}, (char[]){"--gpu"}, hip.device.cpu, wave, NULL};
	int why = spawn(words, memory, &to_it, &pid);
	if (why)
		hip_say(hip.helper, "%s", strerror(why));
	return !why;
}

void hip_process_in_child(void)
{
	if (to_it >= 0)
		close(to_it);
	to_it = -1;
}

bool hip_talk(GpuTalk *t, Arena *a)
{
	GpuTalk asked = *t;
	fflush(stdout); /* what kernels print comes behind it */
	if (start() && gpu_send(to_it, t) && gpu_receive(to_it, t, a))
		return !t->why;
	*t = asked;
	t->why = "the process that runs kernels natively has ended or did not start: start the program again";
	return false;
}

bool hip_compile(GpuSource *s, Arena *a)
{
	int it;
	pid_t pid;
	char *const words[] = {(char[]){"wavesim-helper"}, (char[]){"--hiprtc"}, NULL};
	if (!hip.helper) {
		s->log = "error: this is wavesim's HIP run time: start the program by `wavesim run -- PROGRAM`\n";
		return false;
	}
	int why = spawn(words, -1, &it, &pid);
	if (why) {
		s->log = arena_printf(a, "error: %s: %s\n", hip.helper, strerror(why));
		return false;
	}
	bool ok = gpu_send_source(it, s) && gpu_receive_source(it, s, a);
	close(it);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		; /* the program may have waited for it already */
	if (!ok)
		*s = (GpuSource){.log = "error: the process that compiles was ended before it was done: call "
		                        "hiprtcCompileProgram again\n"};
	return ok && s->bitcode && s->nbitcode;
}
