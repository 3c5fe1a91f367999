/* A program that was linked with our device library, as doc/device-runtime.md tells, has it in its image and runs: with the
   library of the image, with that of the plugin in its place, and in the pack on GCC's plugin.
   TEST-MODES: gpu
   TEST-OPTIONS: -foffload-options=nvptx-none=-L@top_builddir@/nvptx  */

#define _GNU_SOURCE 1
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has the file NAME the word WORD?  */
static int
has (const char *name, const char *word)
{
  FILE *f = fopen (name, "r");
  char *text = NULL;
  size_t size = 0, room = 0, n = 0;
  do
    {
      size += n;
      if (size == room)
	text = realloc (text, room += 1 << 20);
    }
  while (f != NULL && (n = fread (text + size, 1, room - size, f)) > 0);
  int found = memmem (text, size, word, strlen (word)) != NULL;
  free (text);
  if (f != NULL)
    fclose (f);
  return found;
}

int
main (int argc, char **argv)
{
  int failures = 0, sum = 0, tasks = 0, places[8] = { 0 };

  /* Its state in shared memory.  The host's part of the program has no such text.  */
  char word[] = "?ompx_block";
  word[0] = argc > 0 ? 'g' : '!';
  if (!has (argv[0], word))
    return printf ("our library is not in the image\n"), 1;
#pragma omp target map (tofrom: failures, tasks, places)
  {
#pragma omp parallel num_threads (8)
    {
      int me = omp_get_thread_num ();
#pragma omp for schedule (dynamic, 1)
      for (int i = 0; i < 8; i++)
	places[i]++;
#pragma omp critical
      failures += omp_get_num_threads () != 8;
#pragma omp barrier
      for (int i = 0; i < 8; i++)
	if (places[(i + me) % 8] != 1)
#pragma omp atomic
	  failures++;
    }
#pragma omp parallel num_threads (4)
#pragma omp single
    for (int i = 0; i < 20; i++)
#pragma omp task shared (tasks)
      {
#pragma omp atomic
	tasks += i;
      }
  }
#pragma omp target teams distribute parallel for num_teams (4) map (tofrom: sum) reduction (+: sum)
  for (int i = 0; i < 1000; i++)
    sum += i;
  if (failures || sum != 499500 || tasks != 190)
    return printf ("%d failures, sum %d, tasks %d\n", failures, sum, tasks), 1;
  return 0;
}
