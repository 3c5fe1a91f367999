/* nvptx-choices.c -- what was learned about the kernels of an image, kept for the next start of the program.

   Lines of the file, behind its title:

     TEAMS WARPS NS NAME         a result: the choice for the kernel NAME takes NS
     ? NUMBER... NAME            a search that is under way (nvptx_search)

   A line that makes no sense is left out.  Of programs that run at the same time the last one's search is kept, and a
   result rather than any search.

   The lock is a leaf, but for the file that is read and written under it.  */

#include "nvptx-choices.h"
#include "nvptx-cache.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 3 * 1024 };	/* three for a kernel: two versions, and the race between them */

struct line
{
  char *name;
  bool found;			/* CHOICE and NS; else SEARCH */
  bool noted;			/* SEARCH is to be written */
  struct nvptx_choice choice;
  uint64_t ns;
  struct nvptx_search search;
};

struct nvptx_choices
{
  pthread_mutex_t lock;		/* the rest */
  char *key;
  struct line *lines;
  size_t num;
};

static const char title[] = "gompx teams 1\n";

static struct line *
find_line (const struct nvptx_choices *choices, const char *name)
{
  for (size_t i = 0; i < choices->num; i++)
    if (strcmp (choices->lines[i].name, name) == 0)
      return &choices->lines[i];
  return NULL;
}

/* The line for NAME, which may be new and empty; NULL: there is no room.  */
static struct line *
make_line (struct nvptx_choices *choices, const char *name)
{
  struct line *line = find_line (choices, name);
  if (line != NULL || choices->num == MAX_LINES)
    return line;
  struct line *lines = realloc (choices->lines, (choices->num + 1) * sizeof (*lines));
  if (lines == NULL)
    return NULL;
  choices->lines = lines;
  line = &lines[choices->num];
  *line = (struct line) { .name = strdup (name) };
  if (line->name == NULL)
    return NULL;
  choices->num++;
  return line;
}

static bool
set_choice (struct nvptx_choices *choices, const char *name, struct nvptx_choice choice, uint64_t ns)
{
  struct line *line = make_line (choices, name);
  if (line == NULL)
    return false;
  line->found = true;
  line->noted = false;
  line->choice = choice;
  line->ns = ns;
  return true;
}

static void
set_search (struct nvptx_choices *choices, const char *name, const struct nvptx_search *search, bool noted)
{
  struct line *line = make_line (choices, name);
  if (line == NULL || line->found || (line->noted && !noted))
    return;
  line->noted = noted;
  line->search = *search;
}

/* The line "? NUMBER... NAME" but for the mark.  Names of functions do not begin with a digit.  */
static void
read_search (struct nvptx_choices *choices, char *text)
{
  struct nvptx_search search = { .num = 0 };

  while (*text == ' ' && text[1] >= '0' && text[1] <= '9' && search.num < NVPTX_SEARCH_NUMBERS)
    search.v[search.num++] = strtoull (text + 1, &text, 10);
  if (search.num > 0 && *text == ' ' && text[1] != 0)
    set_search (choices, text + 1, &search, false);
}

/* TEXT, ended by a NUL, is what was stored.  Lines that are no good are left out.  */
static void
read_lines (struct nvptx_choices *choices, char *text)
{
  if (strncmp (text, title, sizeof (title) - 1) != 0)
    return;
  char *line;
  text += sizeof (title) - 1;
  while ((line = strsep (&text, "\n")) != NULL)
    {
      struct nvptx_choice choice;
      uint64_t ns;
      int n = 0;
      if (*line == '?')
	read_search (choices, line + 1);
      else if (sscanf (line, "%u %u %" SCNu64 " %n", &choice.teams, &choice.warps, &ns, &n) == 3 && n > 0
	       && line[n] != 0)
	set_choice (choices, line + n, choice, ns);
    }
}

static void
read_file (struct nvptx_choices *choices)
{
  const struct nvptx_cache_key key = { .text = choices->key, .kind = NVPTX_CACHE_TEAMS };
  void *data;
  size_t size;
  if (!nvptx_cache_find (&key, &data, &size))
    return;
  char *text = realloc (data, size + 1);
  if (text == NULL)
    free (data);
  else
    {
      text[size] = 0;
      read_lines (choices, text);
      free (text);
    }
}

struct nvptx_choices *
nvptx_choices_load (char *key)
{
  struct nvptx_choices *choices = calloc (1, sizeof (*choices));
  if (choices == NULL)
    {
      free (key);
      return NULL;
    }
  pthread_mutex_init (&choices->lock, NULL);
  choices->key = key;
  read_file (choices);
  return choices;
}

void
nvptx_choices_free (struct nvptx_choices *choices)
{
  if (choices == NULL)
    return;
  for (size_t i = 0; i < choices->num; i++)
    free (choices->lines[i].name);
  free (choices->lines);
  free (choices->key);
  pthread_mutex_destroy (&choices->lock);
  free (choices);
}

bool
nvptx_choices_find (struct nvptx_choices *choices, const char *name, struct nvptx_choice *choice,
		    uint64_t *ns)
{
  if (choices == NULL)
    return false;
  pthread_mutex_lock (&choices->lock);
  const struct line *line = find_line (choices, name);
  bool found = line != NULL && line->found;
  if (found)
    {
      *choice = line->choice;
      *ns = line->ns;
    }
  pthread_mutex_unlock (&choices->lock);
  return found;
}

bool
nvptx_choices_find_search (struct nvptx_choices *choices, const char *name, struct nvptx_search *search)
{
  if (choices == NULL)
    return false;
  pthread_mutex_lock (&choices->lock);
  const struct line *line = find_line (choices, name);
  bool found = line != NULL && !line->found;
  if (found)
    *search = line->search;
  pthread_mutex_unlock (&choices->lock);
  return found;
}

static void
print_line (FILE *f, const struct line *line)
{
  if (line->found)
    fprintf (f, "%u %u %" PRIu64, line->choice.teams, line->choice.warps, line->ns);
  else
    {
      fputc ('?', f);
      for (unsigned i = 0; i < line->search.num; i++)
	fprintf (f, " %" PRIu64, line->search.v[i]);
    }
  fprintf (f, " %s\n", line->name);
}

/* Write all lines to the file; under the lock.  */
static void
write_file (struct nvptx_choices *choices)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);

  if (f == NULL)
    return;
  fputs (title, f);
  for (size_t i = 0; i < choices->num; i++)
    {
      print_line (f, &choices->lines[i]);
      choices->lines[i].noted = false;
    }
  if (fclose (f) == 0)
    {
      const struct nvptx_cache_key key = { .text = choices->key, .kind = NVPTX_CACHE_TEAMS };
      nvptx_cache_store (&key, text, size);
    }
  free (text);
}

void
nvptx_choices_save (struct nvptx_choices *choices, const char *name, struct nvptx_choice choice,
		    uint64_t ns)
{
  if (choices == NULL)
    return;
  pthread_mutex_lock (&choices->lock);
  read_file (choices);		/* what other processes have learned */
  if (set_choice (choices, name, choice, ns))
    write_file (choices);
  pthread_mutex_unlock (&choices->lock);
}

void
nvptx_choices_note (struct nvptx_choices *choices, const char *name, const struct nvptx_search *search)
{
  if (choices == NULL)
    return;
  pthread_mutex_lock (&choices->lock);
  set_search (choices, name, search, true);
  pthread_mutex_unlock (&choices->lock);
}

void
nvptx_choices_write (struct nvptx_choices *choices)
{
  bool noted = false;

  if (choices == NULL)
    return;
  pthread_mutex_lock (&choices->lock);
  for (size_t i = 0; i < choices->num; i++)
    noted |= choices->lines[i].noted;
  if (noted)
    {
      read_file (choices);	/* a result that another process has found stays */
      write_file (choices);
    }
  pthread_mutex_unlock (&choices->lock);
}
