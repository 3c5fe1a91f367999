/* Each entry point of host/unimplemented.c ends the process with exit status 1 and one line
   that names it, and with nothing else.  The list is read from that file: what gets implemented drops
   out by itself.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE  */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *
source_path (void)
{
  static char path[4096];
  const char *top = getenv ("TEST_TOP_SRCDIR");
  if (top != NULL)
    snprintf (path, sizeof path, "%s/host/unimplemented.c", top);
  else
    {
      snprintf (path, sizeof path - 64, "%s", __FILE__);
      char *slash = strrchr (path, '/');
      strcpy (slash != NULL ? slash + 1 : path, "../../host/unimplemented.c");
    }
  return path;
}

/* What calling NAME in a child prints; its wait status in *STATUS.  */
static void
call_in_child (const char *name, void (*fn) (void), char *text, size_t size, int *status)
{
  int ends[2];
  if (pipe (ends) != 0)
    abort ();
  pid_t pid = fork ();
  if (pid < 0)
    abort ();
  if (pid == 0)
    {
      dup2 (ends[1], 1);
      dup2 (ends[1], 2);
      close (ends[0]);
      close (ends[1]);
      alarm (10);
      fn ();
      fprintf (stderr, "%s came back\n", name);
      _exit (99);
    }
  close (ends[1]);
  size_t used = 0;
  ssize_t got;
  while (used < size - 1 && (got = read (ends[0], text + used, size - 1 - used)) > 0)
    used += (size_t) got;
  text[used] = '\0';
  close (ends[0]);
  if (waitpid (pid, status, 0) != pid)
    abort ();
}

int
main (void)
{
  FILE *f = fopen (source_path (), "r");
  if (f == NULL)
    {
      perror (source_path ());
      return 77;
    }
  /* Some library call, so that the program needs libgomp.  */
  if (omp_get_num_threads () != 1)
    return 1;

  /* Closed before the first child: its exit () would move the position in the file.  */
  static char names[1000][256];
  int count = 0, errors = 0;
  char line[512];
  while (count < 1000 && fgets (line, sizeof line, f) != NULL)
    count += sscanf (line, "UNIMPLEMENTED (%255[A-Za-z0-9_])", names[count]) == 1;
  fclose (f);

  for (int i = 0; i < count; i++)
    {
      const char *name = names[i];
      char text[4096], want[400];
      int status;
      void (*fn) (void) = (void (*) (void)) dlsym (RTLD_DEFAULT, name);
      if (fn == NULL)
	{
	  printf ("%s is not exported\n", name);
	  errors++;
	  continue;
	}
      call_in_child (name, fn, text, sizeof text, &status);
      snprintf (want, sizeof want, "\nlibgomp: %s is not implemented\n", name);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 1 || strcmp (text, want) != 0)
	{
	  printf ("%s: status 0x%x, printed: %s\n", name, status, text);
	  errors++;
	}
    }
  printf ("%d entry points are not implemented, %d of them do not say so\n", count, errors);
  return errors != 0;
}
