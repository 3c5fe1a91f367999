/* reverse-bytes.h -- which bytes of a list item travel with a reverse call.

   For both forms of requests (reverse-proto.h, slots-proto.h), and both sides of each: freestanding
   C.  */

#ifndef GOMP_REVERSE_BYTES_H
#define GOMP_REVERSE_BYTES_H 1

#include <stdbool.h>
#include <stdint.h>

/* Bytes of room that an item of KIND (abi/target section 2.2) wants; *FILLED: they are read.  */
static inline uint64_t
gomp_reverse_bytes (uint16_t kind, uint64_t addr, uint64_t size, bool *filled)
{
  uint8_t type = kind & 0xff;
  *filled = true;
  if (addr == 0)
    return 0;
  switch (type)
    {
    case 0x01: case 0x03:	/* to, tofrom, always, present */
    case 0x11: case 0x13:
    case 0x95: case 0x97:
    case 0x05:			/* descriptor */
    case 0x0c:			/* firstprivate */
      return size;
    case 0x02: case 0x12: case 0x96:	/* from */
    case 0x61: case 0x62: case 0x63:	/* implicit: only a part may be on the device */
      *filled = false;
      return size;
    case 0x04: case 0x1d: case 0x1e:	/* pointers: the size is something else */
    case 0x50: case 0x52:
      return 8;
    default:
      return 0;
    }
}

#endif /* GOMP_REVERSE_BYTES_H */
