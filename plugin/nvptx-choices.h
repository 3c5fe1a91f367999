/* nvptx-choices.h -- what was learned about the kernels of an image, kept for the next start of the program.

   A file of the cache for each image.  Its lines are results, which stay, and searches that a program did not
   get to the end of: programs that launch a kernel a few times only would begin anew at each start, and never know.  */

#ifndef GOMPX_NVPTX_CHOICES_H
#define GOMPX_NVPTX_CHOICES_H 1

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push (hidden)

/* What is chosen for a kernel whose program names no number of teams.  */
struct nvptx_choice
{
  unsigned teams;		/* logical ones */
  unsigned warps;		/* threads of each */
};

enum { NVPTX_SEARCH_NUMBERS = 16 };

/* Where a search is.  What the numbers mean is known to who searches.  They are from a file: anything is possible.  */
struct nvptx_search
{
  unsigned num;
  uint64_t v[NVPTX_SEARCH_NUMBERS];
};

struct nvptx_choices;		/* of an image */

/* What was learned for the image that KEY describes; takes over KEY, which is of malloc.  NULL: no
   memory.  */
struct nvptx_choices *nvptx_choices_load (char *key);
void nvptx_choices_free (struct nvptx_choices *choices);

/* CHOICES may be NULL in all that follow; the result is that nothing is known, or kept.  */

/* The choice for the kernel NAME, measured to take *NS.  */
bool nvptx_choices_find (struct nvptx_choices *choices, const char *name,
			 struct nvptx_choice *choice, uint64_t *ns);
/* Where an earlier program was in the search for NAME's.  */
bool nvptx_choices_find_search (struct nvptx_choices *choices, const char *name,
				struct nvptx_search *search);
/* Keep it for the next program.  Reads and writes a file: without launches->lock.  */
void nvptx_choices_save (struct nvptx_choices *choices, const char *name, struct nvptx_choice choice,
			 uint64_t ns);
/* Note where the search for NAME's is, unless there is a choice.  */
void nvptx_choices_note (struct nvptx_choices *choices, const char *name, const struct nvptx_search *search);
/* Keep what was noted, if anything.  Like save.  */
void nvptx_choices_write (struct nvptx_choices *choices);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_CHOICES_H */
