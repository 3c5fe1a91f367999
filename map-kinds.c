/* map-kinds.c -- GCC's map kinds as a table (abi/target section 2.2).

   Kinds are enumerated values, never tested bit by bit.  A row says in which directives the
   kind may occur and what it asks for there; target exit data and target update have columns
   of their own because the same value asks for something else there.  Kinds without a row
   (those of OpenACC among them) are refused.  */

#include "map-kinds.h"

#define T GOMP_DIR_TARGET
#define D GOMP_DIR_DATA
#define N GOMP_DIR_ENTER
#define X GOMP_DIR_EXIT
#define U GOMP_DIR_UPDATE

struct kind_row
{
  char name[32];		/* no pointer: a process would have to relocate 256 of them before main */
  uint8_t where;		/* enum gomp_map_directive, or'ed */
  uint8_t op;			/* on target, target data, enter data */
  uint8_t exit_op;		/* on exit data */
  uint8_t flags;		/* GOMP_ITEM_*, first group */
};

static const struct kind_row rows[256] = {
  /* On exit data GCC 12 sends the descriptor of a component like this, and like "to" if a part of the array is
     named, not as a release.  */
  [0x00] = { "alloc", T | D | N | X, GOMP_OP_DATA, GOMP_OP_RELEASE, 0 },
  [GOMP_KIND_TO] = { "to", T | D | N | X | U, GOMP_OP_DATA, GOMP_OP_RELEASE, GOMP_ITEM_TO },
  [GOMP_KIND_FROM] = { "from", T | D | X | U, GOMP_OP_DATA, GOMP_OP_DATA, GOMP_ITEM_FROM },
  [GOMP_KIND_TOFROM] = { "tofrom", T | D, GOMP_OP_DATA, 0, GOMP_ITEM_TO | GOMP_ITEM_FROM },
  /* On target data GCC 15 and 16 send components of Fortran's derived types like this.  */
  [0x60] = { "alloc, implicit", T | D, GOMP_OP_DATA, 0, GOMP_ITEM_IMPLICIT },
  [0x61] = { "to, implicit", T | D, GOMP_OP_DATA, 0, GOMP_ITEM_IMPLICIT | GOMP_ITEM_TO },
  [0x62] = { "from, implicit", T | D, GOMP_OP_DATA, 0, GOMP_ITEM_IMPLICIT | GOMP_ITEM_FROM },
  [0x63] = { "tofrom, implicit", T | D, GOMP_OP_DATA, 0,
	     GOMP_ITEM_IMPLICIT | GOMP_ITEM_TO | GOMP_ITEM_FROM },
  [0x04] = { "pointer", T | D | N, GOMP_OP_POINTER, 0, 0 },
  [0x05] = { "descriptor", T | D | N, GOMP_OP_DESCRIPTOR, 0, GOMP_ITEM_TO },
  /* At the end of a region present is from: the kind cannot tell its map types apart.  */
  [0x06] = { "present", T | D | N | X, GOMP_OP_DATA, GOMP_OP_DATA,
	     GOMP_ITEM_PRESENT | GOMP_ITEM_FROM },
  [0x07] = { "delete", X, 0, GOMP_OP_DELETE, 0 },
  [GOMP_KIND_PRIVATE] = { "firstprivate", T, GOMP_OP_PRIVATE, 0, 0 },
  [GOMP_KIND_VALUE] = { "firstprivate value", T, GOMP_OP_VALUE, 0, 0 },
  [0x0e] = { "use_device", D, GOMP_OP_USE_DEVICE, 0, 0 },
  [GOMP_KIND_SECTION] = { "zero-length section", T | D | N | X, GOMP_OP_ZERO_LENGTH, GOMP_OP_RELEASE,
	     GOMP_ITEM_BYTE },
  [0x11] = { "always, to", T | D | N, GOMP_OP_DATA, 0, GOMP_ITEM_TO | GOMP_ITEM_ALWAYS },
  [0x12] = { "always, from", T | D | X, GOMP_OP_DATA, GOMP_OP_DATA,
	     GOMP_ITEM_FROM | GOMP_ITEM_ALWAYS },
  [0x13] = { "always, tofrom", T | D, GOMP_OP_DATA, 0,
	     GOMP_ITEM_TO | GOMP_ITEM_FROM | GOMP_ITEM_ALWAYS },
  [0x17] = { "release", X, 0, GOMP_OP_RELEASE, 0 },
  [0x1c] = { "struct", T | D | N, GOMP_OP_STRUCT, 0, 0 },
  [0x1d] = { "always pointer", T | D | N, GOMP_OP_STORE_POINTER, 0, GOMP_ITEM_ALWAYS },
  [0x1e] = { "pointer to zero-length section", T | D | N, GOMP_OP_POINTER, 0,
	     GOMP_ITEM_LENIENT },
  [0x1f] = { "delete zero-length section", X, 0, GOMP_OP_DELETE, GOMP_ITEM_BYTE },
  [GOMP_KIND_ATTACH] = { "attach", T | D | N | U, GOMP_OP_ATTACH, 0, 0 },
  [0x51] = { "detach", X, 0, GOMP_OP_DETACH, 0 },
  [0x52] = { "attach zero-length section", T | D | N, GOMP_OP_ATTACH, 0, GOMP_ITEM_LENIENT },
  [0x5c] = { "struct, unordered", T | D | N, GOMP_OP_STRUCT, 0, 0 },
  [0x95] = { "present, always, to", T | D | N | U, GOMP_OP_DATA, 0,
	     GOMP_ITEM_PRESENT | GOMP_ITEM_ALWAYS | GOMP_ITEM_TO },
  [0x96] = { "present, always, from", T | D | N | X | U, GOMP_OP_DATA, GOMP_OP_DATA,
	     GOMP_ITEM_PRESENT | GOMP_ITEM_ALWAYS | GOMP_ITEM_FROM },
  [0x97] = { "present, always, tofrom", T | D | N, GOMP_OP_DATA, 0,
	     GOMP_ITEM_PRESENT | GOMP_ITEM_ALWAYS | GOMP_ITEM_TO | GOMP_ITEM_FROM }
};

bool
gomp_map_translate (unsigned kind, enum gomp_map_directive directive, struct gomp_map_item *item)
{
  const struct kind_row *row = &rows[kind & 0xff];

  if ((row->where & directive) == 0)
    return false;
  item->op = directive == X ? row->exit_op : row->op;
  item->flags = row->flags;
  item->log2_align = kind >> 8;
  /* Update takes attachments from deep mapping and leaves them as they are.  */
  if (directive == U && item->op == GOMP_OP_ATTACH)
    item->op = GOMP_OP_NONE;
  return true;
}

const char *
gomp_map_kind_name (unsigned kind)
{
  const char *name = rows[kind & 0xff].name;
  return *name != '\0' ? name : "unknown";
}
