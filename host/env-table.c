/* env-table.c -- THE table of all environment variables.

   A new variable is a new row here (and a row number in env.h): that gives it a parser, the
   suffixes for devices, its error messages and its place in the manual.  Variables that only
   another part understands have no parser: that part reads the text with gomp_getenv.

   The library has of each row what it reads the environment with, and not one pointer: a process
   would have to relocate them all before main; the grammars, for messages, are apart from that.  The
   texts are for programs that explain the variables (env-doc, gompx-info), which compile this file
   with GOMP_ENV_TEXT_ONLY.  */

#include "host/env.h"

#if defined GOMP_ENV_GRAMMARS	/* below */
# undef ROW
# undef READ
# undef TEXT
# undef S
# define ROW(id, name, flags, grammar, default_text, help, ...) [GOMP_ENV_##id] = grammar
static const char grammars[GOMP_ENV_ROWS][128] = {
#elif defined GOMP_ENV_TEXT_ONLY
# define ROW(id, name, flags, grammar, default_text, help, ...)		\
  [GOMP_ENV_##id] = { name, flags, grammar, default_text, help }
const struct gomp_env_text gomp_env_texts[GOMP_ENV_ROWS] = {
#else
# define ROW(id, name, flags, grammar, default_text, help, ...)		\
  [GOMP_ENV_##id] = { name, flags, __VA_ARGS__ }
# define READ(how, field)						\
  .parser = GOMP_ENV_PARSE_##how, .offset = offsetof (struct gomp_env_values, field)
# define TEXT .parser = GOMP_ENV_PARSE_ELSEWHERE
const struct gomp_env_row gomp_env_table[GOMP_ENV_ROWS] = {
#endif

#define S (GOMP_ENV_DEVICES | GOMP_ENV_STRICT)

  ROW (NUM_THREADS,
    "OMP_NUM_THREADS", S, "n[,n]...", "number of usable CPUs",
    "Number of threads of a parallel region. The entries of a list belong to the nesting"
    " levels; a list of two or more turns nested parallelism on.",
    READ (num_threads, num_threads)),
  ROW (DYNAMIC,
    "OMP_DYNAMIC", S, "true | false", "false",
    "Whether the runtime may use fewer threads than asked for.",
    READ (bool, dynamic)),
  ROW (NESTED,
    "OMP_NESTED", 0, "true | false", "false",
    "Deprecated: nested parallelism, when OMP_MAX_ACTIVE_LEVELS is not set.",
    READ (bool, nested)),
  ROW (MAX_ACTIVE_LEVELS,
    "OMP_MAX_ACTIVE_LEVELS", S, "n (0 or more)", "1",
    "How many nested parallel regions may have more than one thread; at most 255.",
    READ (levels, max_active_levels)),
  ROW (THREAD_LIMIT,
    "OMP_THREAD_LIMIT", S, "n (1 or more)", "unlimited",
    "Threads of the whole program (of each initial thread, to be exact) at one time.",
    READ (limit, thread_limit), .min = 1),
  ROW (SCHEDULE,
    "OMP_SCHEDULE", S, "[monotonic: | nonmonotonic:]static|dynamic|guided|auto[,chunk]", "dynamic",
    "Schedule of loops with schedule(runtime).",
    READ (schedule, schedule)),
  ROW (NUM_TEAMS,
    "OMP_NUM_TEAMS", S, "n (1 or more)", "chosen by the runtime",
    "Greatest number of teams of a teams region without a num_teams clause.",
    READ (number, num_teams), .min = 1),
  ROW (TEAMS_THREAD_LIMIT,
    "OMP_TEAMS_THREAD_LIMIT", S, "n (1 or more)", "chosen by the runtime",
    "Greatest number of threads of each team of a teams region without a thread_limit clause.",
    READ (number, teams_thread_limit), .min = 1),
  ROW (PROC_BIND,
    "OMP_PROC_BIND", S, "true | false | primary|master|close|spread[,...]", "false, or true with OMP_PLACES",
    "Whether and how threads are bound to places. The entries of a list belong to the nesting"
    " levels; a list of two or more turns nested parallelism on.",
    READ (proc_bind, proc_bind)),
  ROW (PLACES,
    "OMP_PLACES", 0,
    "threads|cores|sockets|ll_caches|numa_domains[(n)] | place[:count[:stride]][,...]", "none",
    "The places that threads are bound to: a kind of place, or a list of sets of CPU numbers"
    " such as {0,1},{2:2},!{3}. Every place is cut down to the CPUs that the process may use.",
    TEXT),
  ROW (CPU_AFFINITY,
    "GOMP_CPU_AFFINITY", 0, "n | n-m | n-m:stride, separated by blanks or commas", "none",
    "One place per CPU in the given order; used when OMP_PLACES gives no places.",
    TEXT),
  ROW (STACKSIZE,
    "OMP_STACKSIZE", S, "n[B|K|M|G]", "the system's",
    "Stack size of the threads that the library creates, in KiB without a unit.",
    READ (stack_size, stack_size)),
  ROW (GOMP_STACKSIZE,
    "GOMP_STACKSIZE", 0, "n[B|K|M|G]", "the system's",
    "As OMP_STACKSIZE, when that is not set.",
    READ (stack_size, gomp_stack_size)),
  ROW (WAIT_POLICY,
    "OMP_WAIT_POLICY", S, "active | passive", "a short active wait, then sleep",
    "Whether waiting threads spin or sleep. Where other processes compute they sleep soon in any case; with passive they never yield.",
    READ (wait_policy, wait_policy)),
  ROW (SPINCOUNT,
    "GOMP_SPINCOUNT", 0, "n[k|m|g|t] | infinite | infinity", "by OMP_WAIT_POLICY",
    "How many times a waiting thread looks before it sleeps.",
    READ (spin_count, spin_count)),
  ROW (CANCELLATION,
    "OMP_CANCELLATION", GOMP_ENV_STRICT, "true | false", "false",
    "Whether cancel constructs have an effect.",
    READ (bool, cancellation)),
  ROW (MAX_TASK_PRIORITY,
    "OMP_MAX_TASK_PRIORITY", GOMP_ENV_STRICT, "n (0 or more)", "0",
    "Greatest value of a priority clause that makes a difference.",
    READ (number, max_task_priority)),
  ROW (ALLOCATOR,
    "OMP_ALLOCATOR", GOMP_ENV_STRICT,
    "allocator | memory space[:trait=value[,trait=value]...]", "omp_default_mem_alloc",
    "The default allocator.",
    READ (allocator, allocator)),
  ROW (AVAILABLE_DEVICES,
    "OMP_AVAILABLE_DEVICES", GOMP_ENV_STRICT, "traits|*[,traits|*]...", "*",
    "The devices that the program may use, in this order; * stands for all others. Traits are"
    " kind(gpu), vendor(nvidia), arch(...), isa(...), uid(...), combined with &&, ||, ! and"
    " parentheses; [n] or [n:count] behind them takes some of these devices only.",
    READ (available_devices, available_devices)),
  ROW (DEFAULT_DEVICE,
    "OMP_DEFAULT_DEVICE", S, "n (0 or more) | traits|n|initial|invalid|default[,...]", "0",
    "The device of target constructs without a device clause: the first item of the list that is"
    " there. Traits are as in OMP_AVAILABLE_DEVICES, but also device_num(n) and kind(host).",
    READ (default_device, default_device)),
  ROW (TARGET_OFFLOAD,
    "OMP_TARGET_OFFLOAD", GOMP_ENV_STRICT, "default | mandatory | disabled", "default",
    "mandatory: a target construct that cannot run on its device ends the program."
    " disabled: there are no devices.",
    READ (target_offload, target_offload)),
  ROW (DISPLAY_ENV,
    "OMP_DISPLAY_ENV", 0, "true | false | verbose", "false",
    "Print the settings on stderr when the program starts; with verbose also what is not in the"
    " standard, and the library's version and file.",
    READ (display_env, display_env)),
  ROW (DISPLAY_AFFINITY,
    "OMP_DISPLAY_AFFINITY", GOMP_ENV_STRICT, "true | false", "false",
    "Print the threads of a team on stderr when a team of another size starts.",
    READ (bool, display_affinity)),
  ROW (AFFINITY_FORMAT,
    "OMP_AFFINITY_FORMAT", 0, "text with %-fields", "level %L thread %i affinity %A",
    "How a thread is described by OMP_DISPLAY_AFFINITY and omp_display_affinity.",
    TEXT),
  ROW (TOOL,
    "OMP_TOOL", 0, "enabled | disabled", "enabled",
    "Whether an OMPT tool may be started.",
    READ (tool, tool_disabled)),
  ROW (TOOL_LIBRARIES,
    "OMP_TOOL_LIBRARIES", GOMP_ENV_NOT_SETUID, "file[:file]...", "none",
    "Shared objects in which an OMPT tool is looked for, when the program has none itself.",
    TEXT),
  ROW (TOOL_VERBOSE_INIT,
    "OMP_TOOL_VERBOSE_INIT", GOMP_ENV_NOT_SETUID, "disabled | stdout | stderr | file",
    "disabled",
    "Where to tell what was found and done when an OMPT tool was looked for.",
    TEXT),
  ROW (CPU_DEVICES,
    "GOMP_CPU_DEVICES", 0, "n", "0",
    "Number of cpu devices: devices with a memory of their own that are processes on this"
    " machine.",
    TEXT),
  ROW (CPU_MEMORY,
    "GOMP_CPU_MEMORY", 0, "n[B | K | M | G | T]", "as much as the machine has",
    "Memory of each cpu device; bytes without a unit.  Pages that are not used cost nothing.",
    TEXT),
  ROW (PLUGINS,
    "GOMP_PLUGINS", GOMP_ENV_NOT_SETUID, "name[,name]...", "nvptx,gcn,cpu",
    "Device plugins to use; their devices are numbered in this order.",
    TEXT),
  ROW (PLUGIN_PATH,
    "GOMP_PLUGIN_PATH", GOMP_ENV_NOT_SETUID, "directory", "the library's own",
    "Where device plugins are looked for.",
    TEXT),
  ROW (NVPTX_JIT,
    "GOMP_NVPTX_JIT", 0, "[-O0 | ... | -O4] [-maxrregcount=n | auto] [-split-compile=n]",
    "the driver's choice",
    "How the driver compiles images for NVIDIA GPUs: optimization, how many registers a thread"
    " may use, 0 without a cap (with fewer, more threads run at the same time); auto caps the device"
    " library, and the program where nothing spills; and by how many threads, 0 for one for each"
    " processor (CUDA 13; otherwise by one).",
    TEXT),
  ROW (NVPTX_DEVICE_LIBRARY,
    "GOMP_NVPTX_DEVICE_LIBRARY", 0, "gompx | image | file", "gompx",
    "What OpenMP constructs in regions on an NVIDIA GPU call: the library that the plugin carries,"
    " where it fits the program, or the one that the compiler has linked to the program. The absolute"
    " name of an archive stands for another build of the former.",
    TEXT),
  ROW (NVPTX_MATH,
    "GOMP_NVPTX_MATH", 0, "ours | image", "ours",
    "Which mathematical functions (sinf, exp, pow...) regions on an NVIDIA GPU call: those that the"
    " plugin carries along with its device library, or the ones that the compiler has linked to the program"
    " (doc/device-math.md).",
    TEXT),
  ROW (NVPTX_TEAMS,
    "GOMP_NVPTX_TEAMS", 0, "auto | off | n (1 or more)", "auto",
    "Number of teams of a region on an NVIDIA GPU for which the program names none: found out by"
    " measuring the first launches, as many as the GPU holds at a time, or n. With off reductions of"
    " floating-point numbers have the same bits in every run: threads and teams add their parts in"
    " the order of their numbers (GOMP_INFO=2 tells where they cannot). With n only the parts are the same.",
    TEXT),
  ROW (NVPTX_LANES,
    "GOMP_NVPTX_LANES", 0, "auto | later | wait | off | force", "auto",
    "Whether each lane of a warp can be a thread of a parallel region on an NVIDIA GPU, where"
    " the compiler makes a whole warp one (doc/lanes.md): off; force in all regions for which"
    " it is known to be right; auto, later and wait in those of them where it is not found to"
    " be slower. auto has it from the first launch of the first start on, and looks whether"
    " warps are faster when that costs little; a region that asks for more than 32 threads or"
    " has barriers keeps it. With force and wait the first start of a program waits until the"
    " driver has compiled both, which takes twice as long. With later, or where lanes alone"
    " can't be had, it begins with warps, and has lanes when another process has compiled that"
    " or at the next start. GOMP_INFO=2 says which regions have lanes.",
    TEXT),
  ROW (NVPTX_LANES_STRIDE,
    "GOMP_NVPTX_LANES_STRIDE", 0, "on | off | 1 | 2 | 4 | 8 | 16 | 32 | 64", "on",
    "Whether lanes that are threads (GOMP_NVPTX_LANES) take the iterations of a loop with a static"
    " schedule in turn, so that neighbouring lanes use neighbouring elements, in regions"
    " for which that is known to be right (doc/lanes.md); or a contiguous piece each. A number says"
    " how many iterations at a time where there are many; on is 8.",
    TEXT),
  ROW (NVPTX_LANES_BLOCKS,
    "GOMP_NVPTX_LANES_BLOCKS", 0, "on | off", "on",
    "Whether regions with barriers, thread numbers and arrays of the team, as CUDA's kernels have them,"
    " do without the device library where lanes are threads (GOMP_NVPTX_LANES), which makes them faster"
    " (doc/lanes.md).",
    TEXT),
  ROW (NVPTX_LANES_NEST,
    "GOMP_NVPTX_LANES_NEST", 0, "on | off", "on",
    "Whether an inner loop of a parallel loop with few iterations is shared out to lanes where"
    " these are threads (GOMP_NVPTX_LANES), if its iterations are known to be independent"
    " (doc/lanes.md).",
    TEXT),
  ROW (NVPTX_STACK_SIZE,
    "GOMP_NVPTX_STACK_SIZE", 0, "n[B | K | M | G]", "128K",
    "Stack of each thread of a region on an NVIDIA GPU, for what compiled code keeps in memory: from 1K"
    " to 1G, in KiB without a unit; with our device library at least 16K, 32K for programs with"
    " tasks. The region's stacks are made smaller when memory is short.",
    TEXT),
  ROW (NVPTX_LOWLAT_POOL,
    "GOMP_NVPTX_LOWLAT_POOL", 0, "n", "8192",
    "Bytes of shared memory that each team has for omp_low_lat_mem_space on an NVIDIA GPU; in images"
    " of GCC 14 and newer.",
    TEXT),
  ROW (NVPTX_MARK,
    "GOMP_NVPTX_MARK", 0, "write | fill", "write",
    "How an NVIDIA GPU tells that operations are complete: by a write of the stream, or by a fill,"
    " which is what drivers get that cannot write.",
    TEXT),
  ROW (CACHE,
    "GOMP_CACHE", 0, "on | off", "on",
    "Whether compiled images for NVIDIA GPUs are kept on disk, so that the next start of a program"
    " need not compile. Set-user-ID programs keep none.",
    TEXT),
  ROW (CACHE_DIR,
    "GOMP_CACHE_DIR", GOMP_ENV_NOT_SETUID, "directory", "gompx in $XDG_CACHE_HOME or ~/.cache",
    "Where they are kept: an absolute name. The directory is made if it is not there; it has to be the"
    " user's own, and nobody else's to write to.",
    TEXT),
  ROW (CACHE_SIZE,
    "GOMP_CACHE_SIZE", 0, "n[B | K | M | G | T]", "512M",
    "How much room they take; bytes without a unit. What was not used for the longest time is"
    " removed.",
    TEXT),
  ROW (NVPTX_STACK,
    "GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE", 0, "n[k | m | g]", "the driver's",
    "Stack of each thread of NVIDIA GPUs, for return addresses and registers, in bytes; or what"
    " a kernel is known to need, if that is more. Without it the driver's 1 KiB, 8 KiB for"
    " programs with tasks in target regions, and where regions call functions that call"
    " themselves, or call through pointers, a share of the device's memory: from 4 KiB to 64"
    " KiB, 16 KiB on an H200. Deeper recursion needs it.",
    TEXT),
  ROW (NVPTX_HEAP,
    "GOMP_NVPTX_HEAP_SIZE", 0, "n[k | m | g]", "256 KiB for each multiprocessor",
    "What malloc in target regions can take from on an NVIDIA GPU, in bytes.",
    TEXT),
  ROW (HSA_LIBRARY,
    "HSA_RUNTIME_LIB", GOMP_ENV_NOT_SETUID, "file", "libhsa-runtime64.so.1",
    "The HSA runtime for AMD GPUs: a file, or a name that the dynamic loader finds.",
    TEXT),
  ROW (GCN_TEAMS,
    "GCN_NUM_TEAMS", 0, "n (1 or more)", "one for each compute unit",
    "Number of teams of a region on an AMD GPU for which the program names none.",
    TEXT),
  ROW (GCN_GANGS,
    "GCN_NUM_GANGS", 0, "n (1 or more)", "",
    "Another name of GCN_NUM_TEAMS.",
    TEXT),
  ROW (GCN_THREADS,
    "GCN_NUM_THREADS", 0, "n (1 to 16)", "16, or 4 on gfx900",
    "Threads of each team of a region on an AMD GPU for which the program sets no limit; fewer where"
    " the code needs many registers.",
    TEXT),
  ROW (GCN_WORKERS,
    "GCN_NUM_WORKERS", 0, "n (1 to 16)", "",
    "Another name of GCN_NUM_THREADS.",
    TEXT),
  ROW (GCN_STACK,
    "GCN_STACK_SIZE", 0, "n[k | m | g]", "32k",
    "Stack of each thread of a region on an AMD GPU, in bytes: from 4k to 256m. Without it, 128k where a program"
    " with our device library makes tasks. Programs linked with"
    " -mstack-size set it themselves. Images of GCC 12 have a size of their own.",
    TEXT),
  ROW (GCN_HEAP,
    "GCN_HEAP_SIZE", 0, "n[k | m | g]", "100m",
    "What malloc in regions on an AMD GPU can take from, in bytes, for each image.",
    TEXT),
  ROW (GCN_ARENA,
    "GCN_TEAM_ARENA_SIZE", 0, "n[k | m | g]", "64k",
    "Memory of each team on an AMD GPU for what OpenMP constructs need, in bytes; what is"
    " beyond it comes from malloc.",
    TEXT),
  ROW (GCN_LOWLAT_POOL,
    "GOMP_GCN_LOWLAT_POOL", 0, "n[k]", "what the teams of a compute unit can share",
    "Bytes of local memory that each team has for omp_low_lat_mem_space on an AMD GPU; in images of"
    " GCC 14 and newer.",
    TEXT),
  ROW (STAGING_THREADS,
    "GOMP_STAGING_THREADS", 0, "n (1 to 8)", "one for each processor, at most 8",
    "Most threads that copy at once when large data that is not in pinned memory moves to or from a"
    " GPU; with 1 only the thread whose data it is.",
    TEXT),
  ROW (INFO,
    "GOMP_INFO", 0, "0 | 1 | 2", "0",
    "1: which library this is, on stderr when the program starts, and a summary when it ends: what was"
    " mapped, copied and launched, how long it took, and what ran on the host and why. 2: also a line"
    " for each event. Both have addr2line find lines of the source for messages.",
    TEXT),
  ROW (TRACE,
    "GOMP_TRACE", GOMP_ENV_NOT_SETUID, "file", "none",
    "Write a timeline of target regions, transfers and waits to this file when the program ends,"
    " for ui.perfetto.dev or chrome://tracing; %p in the name stands for the number of the"
    " process.",
    TEXT),
  ROW (TRACE_LIMIT,
    "GOMP_TRACE_LIMIT", 0, "n[k|m|g]", "1048576",
    "Most events that GOMP_TRACE keeps in memory, about 100 bytes each.",
    TEXT),
  ROW (CHECK,
    "GOMP_CHECK", 0, "off | map[,notes][,fatal]", "faults of the host only",
    "Look for missing transfers, accesses to what is not mapped and reads of what nobody has"
    " written, on cpu devices. notes: also what may be meant. fatal: the first finding ends the"
    " program. All have addr2line find lines, as GOMP_INFO. off: the library never has a handler of"
    " SIGSEGV and SIGBUS that tells why the host has faulted.",
    TEXT),
  ROW (DEBUG,
    "GOMP_DEBUG", GOMP_ENV_NOT_SETUID, "n (0 or more)", "0",
    "Text for the library's developers on stderr.",
    READ (number, debug_level)),
};

#if !defined GOMP_ENV_TEXT_ONLY && !defined GOMP_ENV_GRAMMARS
# define GOMP_ENV_GRAMMARS
# include "host/env-table.c"

const char *
gomp_env_grammar (enum gomp_env_id id)
{
  return grammars[id];
}
#endif
