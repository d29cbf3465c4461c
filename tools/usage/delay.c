// Waits before each start of a program, and at the begin of each process that is forked, for 0 to
// DELAYED_STARTS_MS milliseconds, at random.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

// Whoever calls this may have been forked from a process with threads: it takes no lock.
static void wait_at_random(void) {
    const char* text = getenv("DELAYED_STARTS_MS");
    const long most = text ? atol(text) : 0;
    unsigned number = 0;
    if (most <= 0 || getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) return;
    const long microseconds = number % (1000 * most + 1);
    const struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&pause, NULL);
}

// Calls the library's own function of this name; it is looked up when this library is loaded.
#define DELAYED(name, parameters, arguments)                        \
    static int(*next_##name) parameters;                            \
    __attribute__((constructor)) static void find_##name(void) {    \
        next_##name = (int(*) parameters)(dlsym(RTLD_NEXT, #name)); \
    }                                                               \
    int name parameters {                                           \
        /* of several places, not this one */                       \
        if (!strchr(path, '/') || access(path, X_OK) == 0) {        \
            wait_at_random();                                       \
        }                                                           \
        return next_##name arguments;                               \
    }

#define SPAWNED                                                                \
    (pid_t * pid, const char* path, const posix_spawn_file_actions_t* actions, \
     const posix_spawnattr_t* how, char* const* argv, char* const* environment)

DELAYED(execve, (const char* path, char* const* argv, char* const* environment),
        (path, argv, environment))
DELAYED(execvpe, (const char* path, char* const* argv, char* const* environment),
        (path, argv, environment))
DELAYED(execv, (const char* path, char* const* argv), (path, argv))
DELAYED(execvp, (const char* path, char* const* argv), (path, argv))
DELAYED(posix_spawn, SPAWNED, (pid, path, actions, how, argv, environment))
DELAYED(posix_spawnp, SPAWNED, (pid, path, actions, how, argv, environment))

static pid_t (*next_fork)(void);
__attribute__((constructor)) static void find_fork(void) {
    next_fork = (pid_t(*)(void))(dlsym(RTLD_NEXT, "fork"));
}
pid_t fork(void) {
    const pid_t pid = next_fork();
    if (pid == 0) wait_at_random();
    return pid;
}
