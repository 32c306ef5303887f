#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The status by which a shell says that a program cannot be started. */
enum { NOT_STARTED = 127 };

/* Becomes the program. Between fork and exec only async-signal-safe calls are allowed. */
static void become(const char *path, const char *const words[], const char *const environment[],
                   pid_t parent) {
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* The parent may have ended before the line above. */
    if (getppid() != parent) _exit(NOT_STARTED);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0) _exit(NOT_STARTED);
    if (input != STDIN_FILENO) close(input);
    execve(path, (char *const *)words, (char *const *)environment);
    _exit(NOT_STARTED);
}

int gs_program_start(const char *path, const char *const words[], const char *const environment[],
                     int *ended) {
    pid_t parent = getpid();
    *ended = -1;
    pid_t program = fork();
    if (program < 0) return -1;
    if (program == 0) become(path, words, environment, parent);
    /* Here as well, so that the group is there when it is killed; whoever is later does nothing. */
    setpgid(program, program);
#ifdef SYS_pidfd_open
    *ended = (int)syscall(SYS_pidfd_open, program, 0);
#endif
    return program;
}

int gs_program_ended(int program) {
    int status;
    pid_t found;
    do found = waitpid(program, &status, WNOHANG);
    while (found < 0 && errno == EINTR);
    if (found == 0) return -1;
    if (found < 0) return 255;
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

void gs_program_kill(int program) { kill(-program, SIGKILL); }
