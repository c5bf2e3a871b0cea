/* The process that runs kernels: started at the first launch, with the socket that it is asked through and the file
 * that memory of the device is. It ends with the program. */
#include "traces/capture/hip/hip.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
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

static int spawn(int theirs)
{
	char wave[16];
	pid_t pid;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	snprintf(wave, sizeof wave, "%u", hip.device.wave);
	char *const words[] = {(char[]){"wavesim-helper"}, (char[]){"--gpu"}, hip.device.cpu, wave, NULL};
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP); /* Ctrl-C is the program's to hear */
	posix_spawn_file_actions_adddup2(&files, theirs, GPU_SOCKET_FD);
	posix_spawn_file_actions_adddup2(&files, memory, GPU_MEMORY_FD);
	int why = posix_spawn(&pid, hip.helper, &files, &how, words, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	return why;
}

static bool start(void)
{
	int ends[2];
	if (tried)
		return to_it >= 0;
	tried = true;
	if (hip_memory() < 0 || !hip.helper || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	ends[0] = away(ends[0]);
	ends[1] = away(ends[1]);
	memory = away(memory);
	int why = spawn(ends[1]);
	close(ends[1]);
	if (why) {
		hip_say(hip.helper, "%s", strerror(why));
		close(ends[0]);
		return false;
	}
	to_it = ends[0];
	return true;
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
