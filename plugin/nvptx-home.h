/* nvptx-home.h -- variables that all modules of an image share.  */

#ifndef GOMPX_NVPTX_HOME_H
#define GOMPX_NVPTX_HOME_H 1

#include "nvptx-state.h"

#pragma GCC visibility push (hidden)

/* The table through which code finds them: addresses, in constant memory; set in each module before a kernel of it is launched.  */
#define NVPTX_HOME_TABLE "gompx_home"

/* One that has moved.  */
struct nvptx_home_variable
{
  size_t offset, size;		/* bytes, in the memory that is for all of them */

  /* Its directive, in the text that it was in, as long as that is there.  */
  const char *start, *end;
  const char *name;
  size_t length;
  bool local, first;		/* its object's own; of the first object */
};

/* Eight bytes of the contents are the address of a variable.  */
struct nvptx_home_address
{
  size_t offset;
  size_t variable;		/* index */
  uint64_t addend;
};

struct nvptx_home
{
  struct nvptx_object *objects;	/* of malloc, as many as were given; those that have not changed are the given ones */
  char **texts;			/* of malloc: those that have; NULL: the others */
  size_t num_objects;
  struct nvptx_home_variable *variables;	/* the first ones are those that were asked for, in their order */
  size_t num;			/* 0: there are none to share, and OBJECTS are what was given */
  size_t size;			/* bytes of memory that they take */
  unsigned char *contents;	/* of the first ones of these; the others are zero */
  size_t num_contents;
  struct nvptx_home_address *addresses;	/* in CONTENTS */
  size_t num_addresses;
};

/* Find the variables of OBJECTS, of which the first is the program's own, in which code leaves something that other code may find, and those that are
   called NAMES; and make texts of the same code that has them in memory of the caller's, at the addresses in NVPTX_HOME_TABLE.  OBJECTS and their texts are
   not changed, and have to stay.  VARIABLES are those of OBJECTS; their field home is 0 before, and not afterwards.  False: that can't be done, and WHY says
   why; *HOME is empty.  */
bool nvptx_home_make (const struct nvptx_object *objects, size_t num_objects, struct nvptx_variables *variables, const char *const *names,
		      size_t num_names, struct nvptx_home *home, char why[NVPTX_STATE_WHY]);

/* Make texts of the code of OBJECTS, too, which are of the same program, that have the same variables at the same places of the table: *JOINED, which has
   nothing but texts.  What else OBJECTS have stays in them.  The texts that HOME was made of have to be there.  As nvptx_home_make.  */
bool nvptx_home_join (const struct nvptx_home *home, const struct nvptx_object *objects, size_t num_objects,
		      struct nvptx_variables *variables, struct nvptx_home *joined, char why[NVPTX_STATE_WHY]);

void nvptx_home_free (struct nvptx_home *home);
/* Only the texts and the contents: the places of the variables stay.  */
void nvptx_home_free_texts (struct nvptx_home *home);

/* The contents, for memory at ADDRESS: its first num_contents bytes.  In place; once.  */
void nvptx_home_settle (struct nvptx_home *home, uint64_t address);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_HOME_H */
