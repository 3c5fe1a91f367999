/* gcn-sim.h -- the simulator of AMD GPUs (libhsa-runtime64.so.1) of the test mode "gcn", for tests.

   What it is like
   - It executes the code objects that GCC makes for gcn, instruction by instruction, behind the
     functions of plugin/hsa-api.h: one CPU agent, and GPU agents with memory of their own.
   - Device memory has addresses of its own that only kernels and copies may touch: the host
     faults there.  Memory of the system's regions and pools is the host's as well; free, and the
     host faults there too.  The address at which an agent sees locked memory is not the host's.
   - What was never written is known as such, in registers, LDS, stacks and device memory.  It may
     be moved, but no address and no decision may come from it.
   - Packets are taken in order, and as many run together as the compute units hold.  Work-groups
     are on several host threads; the waves of a work-group take turns in the order asked for.
   - A kernel that touches what it may not, or is not what the packet says, ends its queue: a report on
     stderr, "gcn-sim: fault: ...", the queue's callback, and nothing more is executed.
   - What a program must not do is told on stderr, "gcn-sim: misuse: ...", and fails a test.

   Environment
     GCN_SIM_AGENTS=N           GPU agents (1; 0 to 8)
     GCN_SIM_ISA=NAME[,...]     what they are (gfx90a); the last one goes for the rest.  NAME may have
				features: gfx90a:xnack+
     GCN_SIM_CUS=N              compute units of each (4)
     GCN_SIM_MEMORY=MIB         memory of each (1024)
     GCN_SIM_THREADS=N          host threads that execute work-groups (2)
     GCN_SIM_ORDER=inorder|random:SEED|adversarial   who comes next of waves and work-groups
     GCN_SIM_BUDGET=N           instructions of a turn of a wave (2000)
     GCN_SIM_NO_PEER=1          agents cannot use each other's memory
     GCN_SIM_SVM=1              agents may use all memory of the host
     GCN_SIM_LOG=FILE           every call and every executed operation, a line each
     GCN_SIM_COUNTS=FILE        at the end: packets, signals, copies, allocations, calls by function,
				instructions by kernel and altogether, a line "NAME VALUE" each
     GCN_SIM_FUNCTIONS=1        instructions of each function as well, "function:NAME VALUE"
     GCN_SIM_SLEEP=US           s_sleep takes so long when no wave of the work-group has anything else to do, so that
				a host which has something to do meanwhile does it in one turn of a loop (0)
     GCN_SIM_LEAKS=1            what is not released at the end is told, "gcn-sim: leak: ...", and
				fails the test
     GCN_SIM_FAIL=NAME:N[:STATUS][,...]   the Nth call of a function (hsa_queue_create) fails; N 0: each
				one.  NAME any: all functions that can fail, counted together.
				NAME kernel, copy, op: when the Nth one is executed; a kernel ends
				its queue with STATUS, a copy its signal with -1.  STATUS may be left out (0x1000).
				Says so on stderr, "gcn-sim: call N of NAME fails".
     GCN_SIM_READONLY=1         hsa_memory_copy fails when the source is a read-only page of the host
     GCN_SIM_STUCK=SECONDS      a dispatch that takes longer is described on stderr, once (0: never)

   A test gets at the functions below by dlsym on dlopen ("libhsa-runtime64.so.1").  */

#ifndef GCN_SIM_H
#define GCN_SIM_H 1

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push (default)

/* Tell what is not released on stderr; how much that is.  */
unsigned gcn_sim_leaks (void);
/* How often the function NAME was called.  */
unsigned long gcn_sim_calls (const char *name);
/* A line of the counts, such as "packets"; 0 if there is none.  */
unsigned long gcn_sim_count (const char *name);
/* The bytes of memory of an agent, to look at them from outside of kernels; NULL: there is none.  */
void *gcn_sim_view (uint64_t address);

#pragma GCC visibility pop

#endif /* GCN_SIM_H */
