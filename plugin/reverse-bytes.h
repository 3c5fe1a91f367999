/* reverse-bytes.h -- which bytes of a list item travel with a reverse call.

   For both forms of requests (reverse-proto.h, slots-proto.h), and both sides of each: freestanding
   C.  */

#ifndef GOMP_REVERSE_BYTES_H
#define GOMP_REVERSE_BYTES_H 1

#include <stdbool.h>
#include <stdint.h>

/* The kind of a private copy of a few bytes whose address is its value, so that none travel.  Most items are such.  */
#define GOMP_REVERSE_KIND_VALUE 0x0d

/* Bytes of room that an item of KIND (abi/target section 2.2) wants; *FILLED: they are read.  */
static inline uint64_t
gomp_reverse_bytes (uint16_t kind, uint64_t addr, uint64_t size, bool *filled)
{
  /* Sets of types, the 32 from a multiple of 32 on in a word, without branches: a device compiles that faster than a switch.  */
#define GOMP_REVERSE_TYPE(type) (UINT32_C (1) << ((type) & 31))
  enum { POINTER_BYTES = 8 };
  const uint32_t low_read		/* to, tofrom, with "always", descriptor, firstprivate */
    = GOMP_REVERSE_TYPE (0x01) | GOMP_REVERSE_TYPE (0x03) | GOMP_REVERSE_TYPE (0x11) | GOMP_REVERSE_TYPE (0x13)
      | GOMP_REVERSE_TYPE (0x05) | GOMP_REVERSE_TYPE (0x0c);
  const uint32_t low_from = GOMP_REVERSE_TYPE (0x02) | GOMP_REVERSE_TYPE (0x12);
  const uint32_t implicit		/* only a part may be on the device */
    = GOMP_REVERSE_TYPE (0x61) | GOMP_REVERSE_TYPE (0x62) | GOMP_REVERSE_TYPE (0x63);
  const uint32_t present_read = GOMP_REVERSE_TYPE (0x95) | GOMP_REVERSE_TYPE (0x97), present_from = GOMP_REVERSE_TYPE (0x96);
  /* Pointers: the size is something else.  */
  const uint32_t low_pointer = GOMP_REVERSE_TYPE (0x04) | GOMP_REVERSE_TYPE (0x1d) | GOMP_REVERSE_TYPE (0x1e);
  const uint32_t detached = GOMP_REVERSE_TYPE (0x50) | GOMP_REVERSE_TYPE (0x52);
#undef GOMP_REVERSE_TYPE

  uint32_t type = kind & 0xff, bit = (uint32_t) (addr != 0) << (type & 31);
  /* All bits, or none.  */
  uint32_t low = -(uint32_t) (type >> 5 == 0), two = -(uint32_t) (type >> 5 == 2), three = -(uint32_t) (type >> 5 == 3),
	   four = -(uint32_t) (type >> 5 == 4);
  uint32_t unread = (low & low_from) | (three & implicit) | (four & present_from);
  uint32_t sized = unread | (low & low_read) | (four & present_read);
  uint32_t pointers = (low & low_pointer) | (two & detached);
  *filled = (unread & bit) == 0;
  return (size & -(uint64_t) ((sized & bit) != 0)) | (uint64_t) ((pointers & bit) != 0) * POINTER_BYTES;
}

#endif /* GOMP_REVERSE_BYTES_H */
