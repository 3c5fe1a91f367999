"""random_regions.py -- run.py --random: the programs of random regions in a pack (make-pack.py --random).

The generator is that of testsuite/libgomp.nvptx/lanes-random.sh, which says what a program prints: for each region its
name, a letter and a sum of all that it computed.  Each program is run on the host and on a GPU in these modes:

    off      threads are warps
    force    lanes wherever they can be threads, with a stride where loops may have one
    chunks   the same, with a contiguous piece of each loop for each lane
    wait     as the library chooses: each region some times, so that it has both

Sums of whole numbers (i) and of floating-point arithmetic (f) must be the host's; those with mathematical functions (a),
which are another library's on the host, must be the same in all modes.  Regions that must not have lanes must have none.

Programs of block kernels have a serial model of each, which takes the host's place.  Some of these
regions (x) count on the threads that they ask for: with fewer they say so and have no sum, which may
be with warps only.
"""

import concurrent.futures
import os
import re
import threading
import time

# How often each region is executed where the library chooses.
TIMES = 5
MODES = ('off', 'force', 'chunks', 'wait')
SHOWN = 40


def settings(mode, seed):
    """The environment of a mode.  Loops are short: with pieces of 8 there would be none."""
    stride = 'GOMP_NVPTX_LANES_STRIDE=%d' % (1 << seed % 3)
    return {'host': ['OMP_TARGET_OFFLOAD=disabled', 'OMP_THREAD_LIMIT=4'],
            'off': ['GOMP_NVPTX_LANES=off'],
            'force': ['GOMP_NVPTX_LANES=force', 'GOMP_INFO=2', stride],
            'chunks': ['GOMP_NVPTX_LANES=force', 'GOMP_NVPTX_LANES_STRIDE=off'],
            'wait': ['GOMP_NVPTX_LANES=wait', stride]}[mode]


def sums(text):
    """Kernel's number -> its letter and all its sums; what a thread found that it must not; who had
    too few threads."""
    found, wrong, few = {}, [], {}
    for line in text.splitlines():
        match = re.match(r'kernel(\d+) ([ifax]) ([0-9a-f]{16})$', line)
        if match:
            found.setdefault(int(match.group(1)), (match.group(2), []))[1].append(match.group(3))
        elif re.match(r'kernel\d+: \d+ wrong', line):
            wrong.append(line)
        elif match := re.match(r'kernel(\d+): \d+ threads of \d+', line):
            few[int(match.group(1))] = line
    return found, wrong, few


class Program:
    """One program's runs, one after the other, with a cache of their own."""

    def __init__(self, entry, run):
        self.entry, self.run = entry, run
        self.problems = []             # texts
        self.agreed = {mode: 0 for mode in MODES}
        self.lanes = self.strides = self.simd = 0  # regions
        self.done = False

    def bad(self, what):
        entry = self.entry
        self.problems.append('random regions, GCC %d, seed %d, %s: %s'
                             % (entry['compiler'], entry['seed'], entry['level'], what))

    def output(self, mode):
        """What the program prints, and whether it came to its end."""
        arguments = ['all', str(TIMES)] if mode == 'wait' else \
            ['all', '1', 'model'] if mode == 'host' and self.entry.get('blocks') else []
        kind, number, text = self.run(self.entry, settings(mode, self.entry['seed']), arguments)
        ended = (kind, number) == ('exit', 0)
        if not ended:
            last = [l for l in text.splitlines() if l.startswith('kernel')][-1:]
            self.bad('%s: %s %d after %s; %s' % (mode, kind, number, last or 'nothing',
                                                 ' | '.join(l for l in text.splitlines() if
                                                            not re.match(r'kernel|.*info:', l))[:200]))
        return text, ended

    def verdicts(self, text):
        """What the library tells in the mode force."""
        self.lanes = text.count(': threads can be lanes')
        self.strides = text.count(': threads can be lanes, with a stride')
        self.simd = text.count(': threads are warps, without')
        for kernel in self.entry['warp']:
            if not re.search(r'kernel%d\$.*: threads are warps, (not lanes|without)' % kernel, text):
                self.bad('kernel%d may have lanes' % kernel)

    def compare(self, mode, expected, found, few, times, ended):
        """All sums of FOUND are those of EXPECTED, which has one of each; unless the program has ENDED
        some may be missing.  FEW: who has none as it has too few threads."""
        for kernel in range(self.entry['regions']):
            letter, wanted = expected.get(kernel, ('', []))
            got = found.get(kernel, ('', []))[1]
            if kernel in few:
                if mode != 'off' or letter != 'x' or got:
                    self.bad('%s: %s' % (mode, few[kernel]))
                continue
            if len(wanted) != 1 or len(got) != times:
                if ended:
                    self.bad('%s: kernel%d: %d results instead of %d, to compare with %d'
                             % (mode, kernel, len(got), times, len(wanted)))
            elif set(got) != set(wanted):
                self.bad('%s: kernel%d %s: %s instead of %s' % (
                    mode, kernel, letter, ' '.join(sorted(set(got) - set(wanted))), wanted[0]))
            else:
                self.agreed[mode] += 1

    def all(self):
        expected, wrong, _ = sums(self.output('host')[0])
        for mode in MODES:
            text, ended = self.output(mode)
            found, more, few = sums(text)
            wrong += [mode + ': ' + line for line in more]
            if mode == 'off':
                # Other functions than the host's, so these are what the other modes have to compute.
                expected = {k: found.get(k, ('a', [])) if v[0] == 'a' else v for k, v in expected.items()}
            if mode == 'force' and ended:
                self.verdicts(text)
            self.compare(mode, expected, found, few, TIMES if mode == 'wait' else 1, ended)
        for line in wrong:
            self.bad(line)
        self.done = True


def run_all(entries, run, jobs, seconds, log):
    """Run the programs ENTRIES, JOBS at a time; begin none after SECONDS.  RUN (entry, settings, arguments)
    answers kind, number and output.  The numbers of regions that agreed and of problems."""
    begin = time.monotonic()
    # Compilers in turn, so that each has its share if time is short.
    entries = sorted(entries, key=lambda e: (e['place'], e['compiler']))
    programs = [Program(e, run) for e in entries]
    lock = threading.Lock()

    def one(program):
        if time.monotonic() - begin > seconds:
            return
        start = time.monotonic()
        program.all()
        with lock:
            log.write('random regions, GCC %d, seed %d: %s, %d have lanes, %d a stride, %d simd loops [%.1f s]\n%s' % (
                program.entry['compiler'], program.entry['seed'], program.agreed, program.lanes,
                program.strides, program.simd, time.monotonic() - start,
                ''.join('  ' + p + '\n' for p in program.problems)))
            log.flush()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(one, p) for p in programs]:
            done.result()
    took = time.monotonic() - begin
    ran = [p for p in programs if p.done]
    problems = [text for p in ran for text in p.problems]
    regions = sum(p.entry['regions'] for p in ran)
    lanes = sum(p.lanes for p in ran)
    if not ran or 3 * lanes < regions:
        problems.append('random regions: %d of %d have lanes, which are too few' % (lanes, regions))
    for text in problems[:SHOWN]:
        print('FAILED: ' + text[:300])
    if len(problems) > SHOWN:
        print('... %d more' % (len(problems) - SHOWN))
    for version in sorted({p.entry['compiler'] for p in ran}):
        here = [p for p in ran if p.entry['compiler'] == version]
        print('random regions, GCC %d: %d programs, %d regions, %d can have lanes, %d of them a stride, %d are simd loops '
              'without the library; agree with the host and with each other: %s' % (version, len(here), sum(p.entry['regions'] for p in here),
                                       sum(p.lanes for p in here), sum(p.strides for p in here), sum(p.simd for p in here),
                                       ', '.join('%d %s' % (sum(p.agreed[m] for p in here), m) for m in MODES)))
    if len(ran) < len(programs):
        print('left out: %d programs of random regions, as %d s were over' % (len(programs) - len(ran), seconds))
    print('%.0f s for random regions' % took)
    return sum(sum(p.agreed.values()) for p in ran), len(problems)
