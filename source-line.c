/* source-line.c -- the line of the source that an address of code comes from.

   That is in the debug information, which addr2line of the user's machine reads.  Where GOMP_CHECK or GOMP_INFO
   asks for explanations it is run; otherwise the command is printed, with quotes for the shell.  Without
   debug information nothing is printed.

   Invariants
   1. No program is started unless the user has asked, and never with rights of another.
   2. Whoever ends the program by a message waits for addr2line only for a time.  */

#include "libgomp.h"
#include "elf-file.h"
#include "map-check.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

struct search
{
  uint64_t addr;		/* in: of the process; out: of the file */
  bool found;			/* the file has lines */
  char path[PATH_MAX];
};

static int
search_lines (struct dl_phdr_info *info, size_t size, void *data)
{
  struct search *s = data;
  struct gomp_elf f;
  (void) size;

  if (!gomp_elf_segment_holds (info, s->addr, s->addr + 1, PF_X))
    return 0;
  int cancel = gomp_cancel_off ();	/* the loader's lock is held, too */
  if (gomp_elf_open (&f, info, s->path) == NULL)
    {
      if (gomp_elf_read_sections (&f) == NULL)
	for (uint64_t i = 0; i < f.num_sections; i++)
	  if (f.sections[i].sh_name < f.names_size
	      && strcmp (f.names + f.sections[i].sh_name, ".debug_line") == 0)
	    s->found = f.sections[i].sh_type != SHT_NOBITS;
      gomp_elf_close (&f);
    }
  gomp_cancel_restore (cancel);
  s->addr -= info->dlpi_addr;
  return 1;
}

/* Start COMMAND, one that takes the options of addr2line; a descriptor of its output, or -1.  */
static int
start (const char *command, const struct search *s, pid_t *pid)
{
  char addr[32];
  snprintf (addr, sizeof (addr), "%#llx", (unsigned long long) s->addr);
  char *argv[] = { (char *) command, (char *) "-Cfpie", (char *) s->path, addr, NULL };
  posix_spawn_file_actions_t actions;
  size_t count = 0, n = 0;
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) != 0)
    return -1;
  while (environ[count] != NULL)
    count++;
  char **env = gomp_calloc (count + 1, sizeof (*env));
  for (size_t i = 0; i < count; i++)
    if (strncmp (environ[i], "LD_PRELOAD=", 11) != 0)
      env[n++] = environ[i];
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, fds[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp (pid, command, &actions, NULL, argv, env);
  posix_spawn_file_actions_destroy (&actions);
  free (env);
  close (fds[1]);
  if (error == 0)
    return fds[0];
  close (fds[0]);
  return -1;
}

/* What addr2line says into TEXT; false: it says nothing that helps.  */
static bool
ask (const struct search *s, char *text, size_t size)
{
  static const char *const commands[] = { "addr2line", "eu-addr2line", "llvm-addr2line" };
  enum { PATIENCE = 10000 };	/* ms, for large programs */
  pid_t pid = 0;
  int fd = -1;
  size_t n = 0;

  for (size_t i = 0; fd < 0 && i < GOMP_ARRAY_SIZE (commands); i++)
    fd = start (commands[i], s, &pid);
  if (fd < 0)
    return false;
  struct pollfd p = { .fd = fd, .events = POLLIN };
  bool ended = false;
  while (!ended && n + 1 < size && poll (&p, 1, PATIENCE) == 1)
    {
      ssize_t got = read (fd, text + n, size - 1 - n);
      if (got > 0)
	n += got;
      else
	ended = got == 0 || errno != EINTR;
    }
  close (fd);
  if (!ended)
    kill (pid, SIGKILL);
  while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
    ;
  text[n] = 0;
  return n > 0 && strstr (text, "??:") == NULL && strchr (text, '\n') != NULL;
}

void
gomp_print_source_line (FILE *f, const void *addr)
{
  struct search s = { .addr = (uintptr_t) addr };
  char text[2048];
  int saved = errno;

  gomp_check_loader ();
  dl_iterate_phdr (search_lines, &s);
  /* The link is another one in another process.  */
  char self[PATH_MAX];
  if (strcmp (s.path, "/proc/self/exe") == 0)
    {
      ssize_t n = readlink (s.path, self, sizeof (self) - 1);
      if (n > 0)
	{
	  self[n] = 0;
	  memcpy (s.path, self, n + 1);
	}
    }
  if (!s.found)
    ;
  else if ((gomp_info_enabled || gomp_check_enabled) && getauxval (AT_SECURE) == 0
	   && ask (&s, text, sizeof (text)))
    for (char *line = text, *end; (end = strchr (line, '\n')) != NULL; line = end + 1)
      fprintf (f, "  source: %.*s\n", (int) (end - line - strspn (line, " ")), line + strspn (line, " "));
  else
    {
      fputs ("  its source line: addr2line -Cfpie '", f);
      for (const char *c = s.path; *c != 0; c++)
	if (*c == '\'')
	  fputs ("'\\''", f);
	else
	  putc (*c, f);
      fprintf (f, "' %#llx\n", (unsigned long long) s.addr);
    }
  errno = saved;
}
