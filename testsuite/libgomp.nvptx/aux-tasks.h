/* aux-tasks.h -- which of the library's threads there are.  */

#ifndef AUX_TASKS_H
#define AUX_TASKS_H 1

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* Is there the thread that links the whole?  */
static int
is_linked (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  struct dirent *task;
  int found = 0;

  while (tasks != NULL && (task = readdir (tasks)) != NULL)
    {
      char file[300], name[20] = "";
      snprintf (file, sizeof (file), "/proc/self/task/%s/comm", task->d_name);
      FILE *f = fopen (file, "r");
      if (f != NULL)
	{
	  if (fgets (name, sizeof (name), f) != NULL)
	    found |= strcmp (name, "gomp-link\n") == 0;
	  fclose (f);
	}
    }
  if (tasks != NULL)
    closedir (tasks);
  return found;
}

#endif /* AUX_TASKS_H */
