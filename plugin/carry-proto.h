/* carry-proto.h -- what travels with the launch of a kernel whose entry nvptx-carry.c has extended.

   Such an entry has one more parameter behind the three that the compiler gives every kernel (the region's
   table, where soft stacks are, how large each is): struct nvptx_carry.  The first warp of the first
   block copies DATA to where it belongs before the region begins; when the region has ended it copies
   what is wanted back to the host, and stores NUMBER in WORD.

   Only kernels of one block get anything to carry to memory, or back; the others get a head of zeros.
   But many kernels without the library (nvptx-lanes-spaces.c), of any number of blocks, read the region's
   table in the parameter, at the beginning of the data: they need nobody who puts it into memory first.

   Used by the plugin, and by the stand-in driver of the tests where it calls functions of the
   host as kernels.  */

#ifndef NVPTX_CARRY_PROTO_H
#define NVPTX_CARRY_PROTO_H 1

#include <stddef.h>
#include <stdint.h>

/* Bytes of data that a launch can take along, 16 for each lane, and bring back.  */
#define NVPTX_CARRY_MOST 512

/* Functions of our device library that do it, by which it is seen whether an image can.  */
#define NVPTX_CARRY_IN "gompx_carry_in"
#define NVPTX_CARRY_OUT "gompx_carry_out"

struct nvptx_carry_head
{
  uint64_t in_dst;		/* on the device, at a multiple of 4 */
  uint32_t in_size;		/* bytes of data, a multiple of 4, or 0 */
  uint32_t out_size;		/* the same of what comes back; 0 if word is */
  uint64_t out_src;		/* on the device, at a multiple of 4 */
  uint64_t out_dst;		/* pinned memory, at a multiple of 4 */
  uint64_t word;		/* of the queue, nvptx-queue.h; 0: the stream marks it */
  uint32_t number;
  uint32_t reserved[5];
};

struct nvptx_carry
{
  struct nvptx_carry_head head;
  unsigned char data[NVPTX_CARRY_MOST];
};

_Static_assert (sizeof (struct nvptx_carry_head) == 64, "nvptx-carry.c has the offsets");

/* The parameters, as they lie in memory.  Entries that are as the compiler made them have the first three, without
   what there is between these and the fourth.  */
#define NVPTX_PLAIN_PARAMS 24
struct nvptx_carry_params
{
  uint64_t args, stacks, stack_bytes;
  struct nvptx_carry carry __attribute__ ((aligned (16)));
};

#endif /* NVPTX_CARRY_PROTO_H */
