/* aux-rules.h -- what the files of the rules share: aux-rules.c and aux-enter.c.  */

#ifndef AUX_RULES_H
#define AUX_RULES_H 1

#include "aux-model.h"

/* One element of the map list.  */
struct flat
{
  const struct map_item *it;
  uint64_t host, start, end;	/* cut to the entry */
  unsigned slot;
  bool first;			/* of its list item */
  bool null, consumed;
  bool adopted;			/* a zero-length section that became a member of its struct */
  bool made;			/* this item made its entry, */
  bool repeated;		/* or another one of this construct did */
  bool copy;			/* its range is copied in; */
  bool vague;			/* perhaps */
  bool write;			/* its pointer is stored, */
  bool vague_write;		/* perhaps: */
  unsigned target;		/* the device address of VALUE in that block; 0: VALUE itself */
  uint64_t value;
  int entry;			/* index, or -1 */
};

struct work
{
  struct model *m;
  struct device_model *d;
  const struct op *op;
  struct frame *frame;
  struct flat f[MAX_ITEMS];
  unsigned n;
  /* To undo.  */
  unsigned old_entries, old_blocks;
  uint64_t first_new;		/* blocks from here on are made by this operation */
  unsigned attached[MAX_ITEMS], num_attached;	/* words whose count was changed, by: */
  int step;
  bool had_counters[MAX_ENTRIES];
};

/* The operation is an error; the text goes to the model.  */
enum verdict wrong (struct model *m, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));

/* ---- What is mapped: indices of entries or, the last, attached words; -1: none ---- */

int overlap (const struct device_model *d, uint64_t start, uint64_t end);
int at_byte (const struct device_model *d, uint64_t addr);
int at_empty (const struct device_model *d, uint64_t addr);
int at_pointer (const struct device_model *d, uint64_t addr);
int at_variable (const struct device_model *d, uint64_t addr);
unsigned new_block (struct model *m, uint64_t host, unsigned align);
int new_entry (struct device_model *d, unsigned block, uint64_t start, uint64_t end);

/* ---- Contents ---- */

void forget_words (struct model *m, struct device_model *d, uint64_t start, uint64_t end);
void set_unknown (struct model *m, struct device_model *d, uint64_t start, uint64_t end);
void set_word (struct model *m, struct device_model *d, uint64_t addr, unsigned block,
		uint64_t value);
void set_value (struct model *m, struct device_model *d, uint64_t addr, uint64_t value);
bool pointer_at (const struct model *m, uint64_t addr, uint64_t *value);
void copy_range (struct model *m, struct device_model *d, uint64_t start, uint64_t end, bool in);
void change_attached (struct device_model *d, unsigned word, int by);

/* ---- Kinds ---- */

bool is_implicit (unsigned kind);
bool is_data (unsigned kind);
bool has_to (unsigned kind);
bool has_from (unsigned kind);
bool is_always (unsigned kind);
bool must_be_present (unsigned kind);
bool is_pointer (unsigned kind);
bool is_attach (unsigned kind);

/* ---- Common to all directives ---- */

void start_work (struct work *w, struct model *m, const struct op *op, struct frame *frame);
void count (struct work *w, unsigned block, int by);
enum verdict undo (struct work *w, enum verdict verdict);
void pend (struct work *w, struct pending p);
void touch (struct expected *x, unsigned block);
enum verdict not_present (struct work *w, const struct flat *f);

/* ---- aux-enter.c: target, target data and target enter data ---- */

enum verdict enter (struct model *m, const struct op *op, struct frame *frame, struct expected *x);

#endif /* AUX_RULES_H */
