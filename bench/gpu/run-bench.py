#!/usr/bin/env python3
"""run-bench.py -- OpenMP on an NVIDIA GPU: our library, GCC's and CUDA by hand, in turn.

    python3 run-bench.py [--rounds N] [--quick] [--starts] [--only PROGRAM,...] [--other DIR]... [--compilers N,...]
                         [--env NAME=VALUE]... [--out DIR]

Lies in a pack (tools/gpu-pack) beside the programs and libraries.  Each round runs regions and
reverse of every compiler on our library with our device library, then with the one that the compiler has put into the
program (image), then on GCC's, then the programs that use the driver themselves, so that whatever slows the machine down meets all of them; last device, constructs inside of a kernel, of a program with
tasks and of one without (plain).  The table has the medians of the
rounds; a process gives the median of nine runs.  Times in microseconds; those of a program's start
are one process each, with caches of its own: empty ones, then those that it has filled.  They are from main to the
end of the first region of first.c, and of the first of functions.c, variables.c and callers.c and of all nine.  --starts measures only these.
--only measures what the table has of these programs (regions, reverse, cuda, floors, device, first, functions, variables, callers).

--other DIR, a directory of the pack with another build of gompx (libgomp.so.1, its plugins, gompx-nvptx-link), is one more column, in turn with all
others; behind the table come the medians and the ranges of both, to see what a change has changed.

--quick runs everything once or twice for function; with --env GOMP_CPU_DEVICES=1 that needs no GPU.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# Rows of the table: name, text of the goal, goal in microseconds (None: none).
GOALS = [
    ('empty', 7), ('empty, may call back', 7), ('empty teams', None), ('map(tofrom: int)', 10),
    ('firstprivate(int)', None), ('8 arrays of 4 KB', 15), ('8 arrays present', 8),
    ('update to 4 B', 4), ('update from 4 B', 6.5), ('enter+exit data 4 KB', 9),
    ('alloc+free 1 MB', 0.5), ('map one of 20000', 0.3), ('look up one of 20000', 0.15),
    ('256 MB to', 6500), ('256 MB from', 6500), ('1 nowait kernel', None),
    ('8 nowait kernels', None), ('8 nowait / 1', 1.1), ('saxpy 64M', None),
    ('saxpy 64M simd', 300), ('sum 64M simd', 150),
    ('reverse call', 3.3), ('reverse call, 64 teams', 0.15),
    ('reverse call, an int both ways', 4), ('64 teams, an int both ways', 0.2),
    ('first region, empty caches', None), ('first region, second start', None),
    ('functions, first, empty caches', None), ('functions, all 9, empty caches', None),
    ('functions, first, second start', None), ('functions, all 9, second start', None),
    ('variables, first, empty caches', None), ('variables, all 9, empty caches', None),
    ('variables, first, second start', None), ('variables, all 9, second start', None),
    ('callers, first, empty caches', None), ('callers, all 9, empty caches', None),
    ('callers, first, second start', None), ('callers, all 9, second start', None),
]
STARTS = ['empty caches', 'second start']
# Constructs inside of a kernel (device.c) that have a goal.  Each row has the number of threads behind its name.
DEVICE_GOALS = {'barrier_8': 0.1, 'barrier_32': 0.15, 'fork_8': 0.8, 'task_8': 1, 'dynamic_8': 0.05, 'critical_1': 0.3}


def environment(library, home, extra):
    env = {k: v for k, v in os.environ.items() if not k.startswith(('OMP_', 'GOMP_'))}
    old = env.get('LD_LIBRARY_PATH', '')
    env['LD_LIBRARY_PATH'] = os.path.join(HERE, library) + (':' + old if old else '')
    os.makedirs(home, exist_ok=True)
    env.update(HOME=home, XDG_CACHE_HOME=home + '/.cache', CUDA_CACHE_PATH=home + '/nv',
               OMP_TARGET_OFFLOAD='mandatory', LC_ALL='C')
    for setting in extra:
        name, _, value = setting.partition('=')
        env[name] = value
    return env


def run(command, env, seconds=60, parse=None):
    """The lines NAME, MEDIAN, MINIMUM (ns) that a program prints; PARSE: for those of another form."""
    parse = parse or parse_bench
    try:
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors='replace', timeout=seconds)
    except subprocess.TimeoutExpired as late:
        print('%s: not ready after %d s' % (' '.join(command), seconds))
        text = late.stdout or b''
        return parse(text.decode() if isinstance(text, bytes) else text)
    if done.returncode not in (0, 77):
        print('%s: status %d: %s' % (' '.join(command), done.returncode,
                                     ' '.join(done.stderr.split())[:300]))
    return parse(done.stdout)


def parse_device(text):
    """Lines NAME, THREADS, MICROSECONDS."""
    lines = [line.split() for line in text.splitlines()]
    return {words[0]: (float(words[2]), int(words[1])) for words in lines if len(words) == 3}


def parse_bench(text):
    rows = {}
    for line in text.splitlines():
        words = line.split('\t')
        if len(words) == 3:
            rows[words[0]] = (float(words[1]) / 1e3, float(words[2]) / 1e3)
    return rows


class Table:
    def __init__(self):
        self.samples = {}              # (column, row) -> list
        self.threads = {}              # the same, of device.c -> number

    def add(self, column, rows):
        for row, (value, _) in rows.items():
            self.samples.setdefault((column, row), []).append(value)

    def value(self, column, row):
        if row == '8 nowait / 1':
            a, b = self.value(column, '8 nowait kernels'), self.value(column, '1 nowait kernel')
            return a / b if a and b else None
        found = self.samples.get((column, row))
        return statistics.median(found) if found else None

    @staticmethod
    def cells(columns, width, texts=None):
        """TEXTS, or the names of COLUMNS, each as wide as WIDTH or its column's name."""
        texts = texts or columns
        return ''.join('%*s' % (max(width, len(c) + 2), t) for c, t in zip(columns, texts))

    def show(self, columns, ours, theirs):
        def text(value):
            if value is None:
                return '-'
            return '%.2f' % value if value < 999.5 else '%.0f' % value
        print('%-31s' % 'us' + self.cells(columns, 12) + '%8s %8s' % ('ratio', 'goal'))
        for row, goal in GOALS:
            values = [self.value(c, row) for c in columns]
            if all(v is None for v in values):
                continue
            a, b = self.value(ours, row), self.value(theirs, row)
            ratio = '%.2f' % (b / a) if a and b else '-'
            mark = '' if goal is None or a is None else ' met' if a <= goal else ' MISSED'
            print('%-31s' % row + self.cells(columns, 12, [text(v) for v in values])
                  + '%8s %8s%s' % (ratio, text(goal), mark))
        print('ratio: %s / %s, how many times faster' % (theirs, ours))
        for column, row in self.samples:
            if column == 'floors':
                print('%-52s%10.3f' % (row, self.value(column, row)))

    def rows(self, columns):
        return list(dict.fromkeys(row for column, row in self.samples if column in columns))

    def show_ranges(self, columns):
        """The same of COLUMNS with the lowest and the highest process."""
        def text(samples):
            if not samples:
                return '-'
            form = '%.3f (%.3f to %.3f, %d)' if max(samples) < 1000 else '%.0f (%.0f to %.0f, %d)'
            return form % (statistics.median(samples), min(samples), max(samples), len(samples))
        print('\n%-31s' % 'us' + self.cells(columns, 32))
        for row in self.rows(columns):
            print('%-31s' % row + self.cells(columns, 32, [text(self.samples.get((c, row))) for c in columns]))

    def add_device(self, column, rows):
        self.add(column, rows)
        for row, (_, threads) in rows.items():
            self.threads[column, row] = threads

    def show_device(self, columns):
        print('\n%-28s' % 'us, constructs in a kernel' + self.cells(columns, 16) + '%8s' % 'goal')
        for row in self.rows(columns):
            values = [self.value(c, row) for c in columns]
            texts = ['-' if v is None else '%.3f (%d)' % (v, self.threads[c, row]) for c, v in zip(columns, values)]
            goal = DEVICE_GOALS.get(row)
            found = [v for v in values[:2] if v is not None]
            mark = '' if goal is None or not found else ' met' if min(found) <= goal else ' MISSED'
            print('%-28s' % row + self.cells(columns, 16, texts)
                  + '%8s%s' % ('-' if goal is None else goal, mark))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--starts', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('--other', action='append', default=[])
    parser.add_argument('--env', action='append', default=[])
    parser.add_argument('--compilers', default='')
    parser.add_argument('--out', default='')
    arguments = parser.parse_args()
    begin = time.monotonic()
    manifest = json.load(open(os.path.join(HERE, 'pack.json')))
    versions = sorted(int(v) for v in manifest['compilers'])
    if arguments.compilers:
        versions = [v for v in versions if str(v) in arguments.compilers.split(',')]
    # The ends of the range tell enough.
    versions = sorted({versions[0], versions[-1]}, reverse=True)
    scratch = tempfile.mkdtemp(prefix='gpu-bench.')
    peer = os.path.isdir(os.path.join(HERE, 'peer'))
    options = ['-q'] if arguments.quick else []
    table = Table()

    def program(version, name):
        return os.path.join(HERE, 'progs', str(version), 'bench.%s.c' % name, name + '.exe')

    # Label, directory, settings.
    libraries = [('gompx', 'gompx', []), ('image', 'gompx', ['GOMP_NVPTX_DEVICE_LIBRARY=image'])]
    libraries += [('gcc', 'peer', [])] if peer else []
    others = [os.path.basename(os.path.normpath(d)) for d in arguments.other]
    libraries += [(label, directory, []) for label, directory in zip(others, arguments.other)]

    def wanted(name):
        return not arguments.only or name in arguments.only.split(',')

    for number in range(0 if arguments.starts else 1 if arguments.quick else arguments.rounds):
        for version in versions:
            for name in ('regions', 'reverse'):
                for label, directory, settings in libraries:
                    exe = program(version, name)
                    # The older compilers once, to see that they are no different.
                    if not wanted(name) or not os.path.exists(exe) or (number and version != versions[0]):
                        continue
                    env = environment(directory, os.path.join(scratch, label),
                                      settings + arguments.env)
                    table.add('%s-%d' % (label, version), run([exe] + options, env))
        exe = program(versions[0], 'cuda')
        if wanted('cuda') and os.path.exists(exe):
            env = environment('gompx', os.path.join(scratch, 'cuda'), [])
            table.add('cuda', run([exe] + options, env))
        exe = program(versions[0], 'floors')
        if wanted('floors') and os.path.exists(exe):
            env = environment('gompx', os.path.join(scratch, 'cuda'), [])
            table.add('floors', run([exe] + options, env))
        for label, directory, settings in libraries:
            for name, column in (('device-alone', label + ', plain'), ('device', label)):
                exe = os.path.join(HERE, 'progs', str(versions[0]), 'bench.%s.c' % name, 'device.exe')
                if wanted('device') and os.path.exists(exe):
                    env = environment(directory, os.path.join(scratch, label), settings + arguments.env)
                    rows = ['barrier_8', 'task_8'] if arguments.quick else []
                    table.add_device(column, run([exe] + rows, env, 120, parse_device))
        print('round %d: %.0f s' % (number + 1, time.monotonic() - begin), flush=True)

    for number in range(1 if arguments.quick else 3):
        for version in versions:
            for label, directory, settings in libraries:
                home = os.path.join(scratch, 'first-%s-%d-%d' % (label, version, number))
                env = environment(directory, home, settings + arguments.env)
                column = '%s-%d' % (label, version)
                for start in STARTS if wanted('first') else []:
                    rows = run([program(version, 'first')], env)
                    if 'first' in rows:
                        table.add(column, {'first region, ' + start: rows['first']})
                for nine in ('functions', 'variables', 'callers'):
                    if not wanted(nine) or not os.path.exists(program(version, nine)):
                        continue
                    env = environment(directory, home + '-' + nine, settings + arguments.env)
                    for start in STARTS:
                        rows = run([program(version, nine)], env)
                        if nine in rows:
                            for name, value in zip(('first', 'all 9'), rows[nine]):
                                table.add(column, {'%s, %s, %s' % (nine, name, start): (value, value)})
        if not wanted('first') or not os.path.exists(program(versions[0], 'cuda')):
            continue
        home = os.path.join(scratch, 'first-cuda-%d' % number)
        env = environment('gompx', home, [])
        for start in STARTS:
            rows = run([program(versions[0], 'cuda'), '--first', home + '/cubin'], env)
            if 'first' in rows:
                table.add('cuda', {'first region, ' + start: rows['first']})

    shutil.rmtree(scratch, ignore_errors=True)
    columns = ['%s-%d' % (label, version) for version in versions for label, *_ in libraries]
    print('gompx %s, GCC\'s library: %s, %.0f s' % (manifest['source'], manifest['peer'],
                                                  time.monotonic() - begin))
    table.show(columns + ['cuda'], 'gompx-%d' % versions[0], 'gcc-%d' % versions[0])
    table.show_device([label + end for label, *_ in libraries for end in (', plain', '')])
    if others:
        for version in versions:
            table.show_ranges(['%s-%d' % (label, version) for label in ['gompx'] + others])
        table.show_ranges([label + end for end in (', plain', '') for label in ['gompx'] + others])
    if arguments.out:
        os.makedirs(arguments.out, exist_ok=True)
        with open(os.path.join(arguments.out, 'gpu-bench.json'), 'w') as f:
            json.dump({'%s: %s' % k: v for k, v in table.samples.items()}, f, indent=1)


sys.exit(main())
