#!/usr/bin/env python3
"""run.py -- runs the tests of a pack (make-pack.py) on this machine's GPUs.

    python3 run.py                    the tests on our library, the scenarios; a table last
    python3 run.py --both             the tests with our device library and with the one in each image
    python3 run.py --image            with the latter only
    python3 run.py --lanes            the tests with regions in which lanes can be threads: in warp mode, in lane mode, and as
                                      the library chooses (--lanes off,force,wait: values of GOMP_NVPTX_LANES)
    python3 run.py --random           nothing but random regions, in the same modes, compared with the host (random_regions.py);
                                      --random 300: as many as can be begun in so many seconds, otherwise 90
    python3 run.py --peer             the tests on GCC's library as well, side by side
    python3 run.py --only 'map-|v0'   tests whose names match
    python3 run.py --compilers 12,16  programs of these compilers only
    python3 run.py --kernels off      without the programs of kernels that check their results (team
                                      kernels, shapes of loops; each a first start with a cache of its
                                      own on our library); --kernels small: in sizes for a simulator
    python3 run.py --out DIR          the logs go there, too

Every test runs in a directory of its own, several at once (-j, default: processors).  It passes
when its exit status, its output and what must not be in it are as the directives of its source
say.  Where a test has nothing to do with running on the host, OMP_TARGET_OFFLOAD=mandatory sees to
it that a device runs its regions.  A test that does not end is killed with all it has started, which also ends its kernels
on the GPU; when too many do not end, those of the same library that are left are not run.
The exit status is 0 when nothing failed.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import random_regions

HERE = os.path.dirname(os.path.abspath(__file__))
START = time.monotonic()
# Lines shown of a failed test, and failed tests shown with their output.
LOG_LINES, LOG_TESTS = 12, 25
# Links that go on behind programs before the next program with a cache of its own is started, for
# each job, and seconds that it waits for that.
MORE_LINKS, LINKS_WAIT = 2, 20
LINK = 'gompx-nvptx-link'
# Seconds that a killed program may take to go away, and tests of a library that may not end.
REAP, MAX_HANGS = 20, 12


def clean_environment():
    """This process's environment without what would change a test."""
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(('OMP_', 'GOMP_')) and k != 'LD_PRELOAD'}
    kept['LC_ALL'] = 'C'
    return kept


def links_running():
    """How many processes link in the background of programs, or when these have ended."""
    count = 0
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/cmdline' % pid, 'rb') as words:
                count += LINK.encode() in words.read()
        except OSError:
            pass
    return count


class Library:
    """One libgomp with its plugin."""

    def __init__(self, name, directory, scratch, settings=(), runs=lambda entry: True,
                 part='tests'):
        self.name = name
        self.part = part               # of the manifest
        self.runs = runs               # which tests of it
        self.alone = part != 'tests'   # a cache for each program
        self.settings = list(settings)
        self.hangs = 0                 # tests that were killed
        self.directory = os.path.join(HERE, directory)
        # The caches of device code are this pack's own.
        self.home = os.path.join(scratch, 'home-' + name)
        os.makedirs(self.home, exist_ok=True)

    def environment(self, compiler, extra=(), home=None):
        home = home or self.home
        env = clean_environment()
        path = [self.directory, os.path.join(HERE, 'lib', str(compiler))]
        path += [p for p in os.environ.get('LD_LIBRARY_PATH', '').split(':') if p]
        env.update(LD_LIBRARY_PATH=':'.join(path), HOME=home,
                   XDG_CACHE_HOME=os.path.join(home, '.cache'),
                   CUDA_CACHE_PATH=os.path.join(home, 'nv'), TEST_MODE='gpu',
                   TEST_LIBDIR=self.directory)
        for setting in self.settings + list(extra):
            name, _, value = setting.partition('=')
            env[name] = value
        return env


def command_of(entry, exe, env):
    """The words that start a program, by another C library's loader if it needs one."""
    if not entry.get('loader'):
        return [exe]
    libc = os.path.join(HERE, 'lib', '%d-libc' % entry['compiler'])
    path = env['LD_LIBRARY_PATH'] + ':' + libc
    del env['LD_LIBRARY_PATH']
    return [os.path.join(libc, 'ld-linux-x86-64.so.2'), '--library-path', path, exe]


def execute(command, env, directory, seconds):
    """(kind, number, seconds, output) of a command that may hang or leave processes behind."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=directory, env=env, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        kind = None
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            kind = 'timeout'
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            process.wait(timeout=REAP)
        except subprocess.TimeoutExpired:
            kind = 'stuck'             # in the driver
        output.seek(0)
        text = output.read().decode('utf-8', 'replace')
    took = time.monotonic() - begin
    if kind:
        return kind, 0, took, text
    code = process.returncode
    return ('signal', -code, took, text) if code < 0 else ('exit', code, took, text)


def judge(entry, kind, number, text):
    """"" or what is wrong with a run, by the rules of testsuite/lib/libgomp.exp."""
    if kind == 'timeout':
        return 'does not end'
    if kind == 'stuck':
        return 'does not end, and cannot be killed'
    wanted = entry['exit']
    if kind == 'signal':
        if wanted != 'signal %d' % number:
            return 'signal %d' % number
    elif wanted != str(number):
        return 'exit status %d instead of %s' % (number, wanted)
    for pattern in entry['output']:
        if not re.search(pattern, text, re.M):
            return 'no line matches ' + pattern
    for pattern in entry['no_output']:
        if re.search(pattern, text, re.M):
            return 'a line matches ' + pattern
    if entry['expect'] is not None and text != entry['expect']:
        return 'output differs'
    return ''


class Tests:
    def __init__(self, manifest, arguments, scratch, progress):
        self.manifest, self.arguments, self.scratch = manifest, arguments, scratch
        self.progress = progress       # file that results are written to as they come
        self.lock = threading.Lock()
        self.results = {}              # (library, compiler, name) -> (verdict, why, seconds, text)
        self.number = 0

    def one(self, library, entry):
        with self.lock:
            if library.hangs >= MAX_HANGS:
                self.results[library.name, entry['compiler'], entry['name']] \
                    = ('failed', 'not run: %d tests did not end' % library.hangs, 0, '')
                return
            self.number += 1
            number = str(self.number)
            directory = os.path.join(self.scratch, 'run', number)
        # Links: a copy that one thread still writes while another one forks cannot be executed.
        os.makedirs(directory)
        for file in os.listdir(os.path.join(HERE, entry['dir'])):
            os.symlink(os.path.join(HERE, entry['dir'], file), os.path.join(directory, file))
        os.symlink(os.path.join(HERE, 'data-of-examples'),
                   os.path.join(directory, 'data-of-examples'))
        home = None
        if library.alone:
            home = os.path.join(library.home, number)
            os.makedirs(home)
            self.await_links()
        env = library.environment(entry['compiler'],
                                  [v.replace('@rundir@', directory) for v in entry['env']], home)
        if not entry['fallback']:
            env.setdefault('OMP_TARGET_OFFLOAD', 'mandatory')
        exe = os.path.join(directory, entry['exe'])
        small = self.arguments.kernels == 'small' and 'small' in entry
        command = command_of(entry, exe, env) + entry['small' if small else 'arguments']
        seconds = min(entry['timeout'], self.arguments.timeout)
        kind, code, took, text = execute(command, env, directory, seconds)
        if kind == 'exit' and code == 77 and entry['exit'] != '77':
            verdict, why = 'unsupported', ' '.join(text.split())[:100]
        else:
            why = judge(entry, kind, code, text)
            verdict = 'failed' if why else 'passed'
        shutil.rmtree(directory, ignore_errors=True)
        key = library.name, entry['compiler'], entry['name']
        with self.lock:
            library.hangs += kind in ('timeout', 'stuck')
            self.results[key] = (verdict, why, took, text)
            self.progress.write('%s %s %s (GCC %d): %s [%.1f s]\n' % (
                verdict, library.name, entry['name'], entry['compiler'], why, took))
            self.progress.flush()

    def await_links(self):
        """Each has a context of its own on the GPU: not too many of them."""
        end = time.monotonic() + LINKS_WAIT
        while links_running() > MORE_LINKS * self.arguments.jobs and time.monotonic() < end:
            time.sleep(0.1)

    def chosen(self, part):
        return [e for e in self.manifest.get(part, [])
                if re.search(self.arguments.only, e['name'])
                and (not self.arguments.compilers
                     or str(e['compiler']) in self.arguments.compilers.split(','))
                and e['devices'] <= self.arguments.devices]

    def run(self, libraries):
        left = [e for e in self.manifest['tests'] if e['devices'] > self.arguments.devices]
        if left:
            print('left out: %d programs that need more than %d device(s)'
                  % (len(left), self.arguments.devices))
        for library in libraries:
            here = [e for e in self.chosen(library.part) if library.runs(e)]
            for alone in (False, True):
                jobs = 1 if alone else self.arguments.jobs
                with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                    for done in [pool.submit(self.one, library, e) for e in here
                                 if e['alone'] == alone]:
                        done.result()
            print('%s: %d programs after %.0f s' % (library.name, len(here),
                                                    time.monotonic() - START), flush=True)

    def compare(self, libraries):
        """--lanes: what a program prints is the same in all modes in which it passed, but for times, unless it says that
        it varies."""
        same = 0
        lines_of = lambda text: re.sub(r'\b\d+\.\d+ s\b', '# s', text).splitlines()
        for entry in self.manifest['tests']:
            results = [(library, self.results.get((library.name, entry['compiler'], entry['name'])))
                       for library in libraries]
            results = [(library, r) for library, r in results if r and r[0] == 'passed']
            if entry['varies'] or len(results) < 2:
                continue
            (first, (_, _, _, text)), others = results[0], results[1:]
            for library, (_, _, took, other) in others:
                if lines_of(other) != lines_of(text):
                    line = next(b for a, b in itertools.zip_longest(lines_of(text), lines_of(other)) if a != b)
                    self.results[library.name, entry['compiler'], entry['name']] = (
                        'failed', 'prints something else than as %s: %s' % (first.name, line), took, other)
                else:
                    same += 1
        print('outputs of %s: %d are those of %s' % (
            ', '.join(l.name for l in libraries[1:]), same, libraries[0].name))

    def report(self, libraries, log):
        for library in libraries:
            shown = 0
            for (name, compiler, test), (verdict, why, took, text) in sorted(self.results.items()):
                if name != library.name:
                    continue
                line = '%s: %s (GCC %d)%s' % (verdict.upper(), test, compiler,
                                              ': ' + why if why else '')
                log.write('%-11s %s [%.1f s]\n' % (name, line, took))
                if verdict != 'failed':
                    continue
                log.write(''.join('  | ' + l + '\n' for l in text.splitlines()[:200]))
                if name == 'gcc':
                    continue
                print(line if name == libraries[0].name else line + ' [' + name + ']')
                shown += 1
                if shown <= LOG_TESTS:
                    lines = text.splitlines()
                    for l in lines[:LOG_LINES]:
                        print('  | ' + l[:160])
                    if len(lines) > LOG_LINES:
                        print('  | ... %d more lines' % (len(lines) - LOG_LINES))
        if libraries[-1].name == 'gcc':
            ours, peer = libraries[0].name, libraries[-1].name
            differ = sorted((test, compiler, verdict, self.results[peer, compiler, test])
                            for (name, compiler, test), (verdict, *_) in self.results.items()
                            if name == ours and (peer, compiler, test) in self.results
                            and verdict != self.results[peer, compiler, test][0])
            print('%d results differ from those of GCC\'s library:' % len(differ))
            tests = {}
            for test, compiler, verdict, other in differ:
                tests.setdefault((test, verdict, other[0], other[1]), []).append(str(compiler))
            for (test, verdict, other, why), compilers in list(tests.items())[:60]:
                print('  %s (GCC %s): %s, there %s%s' % (test, ' '.join(compilers), verdict, other,
                                                       ': ' + why[:70] if why else ''))

    def times(self, library, log):
        """What the programs of LIBRARY, which check their results, have printed of their times."""
        # Two columns for each compiler: the loops of a program are there twice, other programs are.
        cells, rows, compilers = {}, {}, set()
        for e in self.chosen(library.part):
            verdict, _, _, text = self.results[library.name, e['compiler'], e['name']]
            number, column = e['compiler'], bool(e['variant'])
            compilers.add(number)
            loops = re.findall(r'^(\w+) (\w+) first .* average ([\d.]+) us, .* (PASS|FAIL)$', text,
                               re.M)
            for loop, variant, time_us, passed in loops:
                row = '%s: %s' % (e['program'], loop)
                cells[row, number, variant == 'shape'] = time_us if passed == 'PASS' else 'FAIL'
                rows[row] = None
            found = re.search(r'^\w+ kernel ([\d.]+) us$', text, re.M)
            if not loops:
                cells[e['program'], number, column] = 'FAIL' if verdict != 'passed' \
                    else found.group(1) if found else '?'
                rows[e['program']] = None
        head = 'us, %d programs at a time; the second column of a compiler: without num_threads, or ' \
            'loops with clauses' % self.arguments.jobs
        lines = [head, '%-36s' % '' + ''.join('%22s' % ('GCC %d' % c) for c in sorted(compilers))]
        for row in sorted(rows):
            lines.append('%-36s' % row + ''.join(
                '%11s' % cells.get((row, c, column), '-') for c in sorted(compilers)
                for column in (False, True)))
        if rows:
            print('\n' + '\n'.join(lines))
            log.write('\n'.join(lines) + '\n')

    def table(self, libraries):
        rows = []
        for library in libraries:
            for compiler in sorted({c for (name, c, _) in self.results if name == library.name}):
                count = {'passed': 0, 'failed': 0, 'unsupported': 0}
                slowest = (0, '')
                for (name, c, test), (verdict, _, took, _) in self.results.items():
                    if name == library.name and c == compiler:
                        count[verdict] += 1
                        slowest = max(slowest, (took, test))
                if sum(count.values()):
                    rows.append((library.name, compiler, count, slowest))
        print('%-11s %-8s %7s %7s %12s  %s' % ('library', 'images', 'passed', 'failed',
                                            'unsupported', 'slowest'))
        for name, compiler, count, (took, test) in rows:
            print('%-11s GCC %-4d %7d %7d %12d  %.1f s %s' % (
                name, compiler, count['passed'], count['failed'], count['unsupported'], took, test))


def scenarios(library, manifest, scratch, arguments, log):
    """The scripts scenario-*.sh: each prints lines "PASS: ...", "FAIL: ..." or "SKIP: ..."."""
    counts = {'PASS': 0, 'FAIL': 0, 'SKIP': 0}
    for script in sorted(f for f in os.listdir(HERE) if re.match(r'scenario-.*\.sh$', f)):
        if not re.search(arguments.scenario, script):
            continue
        directory = os.path.join(scratch, script)
        os.makedirs(directory)
        newest = max(e['compiler'] for e in manifest['tests'] + manifest.get('kernels', []))
        env = library.environment(newest)
        env.update(PACK=HERE, VERSION=str(newest), DEVICES=str(arguments.devices))
        kind, number, took, text = execute(['bash', os.path.join(HERE, script)], env, directory,
                                           150)
        log.write('%s: %s %d\n%s' % (script, kind, number, text))
        lines = [l for l in text.splitlines() if re.match(r'(PASS|FAIL|SKIP): ', l)]
        if kind != 'exit' or number != 0 or not lines:
            lines.append('FAIL: %s: %s %d' % (script, kind, number))
            print('\n'.join('  | ' + l[:160] for l in text.splitlines()[-LOG_LINES:]))
        for line in lines:
            counts[line[:4]] += 1
            print(line[:200])
        print('  (%s: %.1f s)' % (script, took), flush=True)
    return counts


def random_part(manifest, scratch, arguments, log):
    """What --random does: regions and modes that agreed, problems."""
    chosen = [e for e in manifest['random'] if not arguments.compilers
              or str(e['compiler']) in arguments.compilers.split(',')]
    library = Library('gompx', 'gompx', scratch)
    lock = threading.Lock()

    def run(entry, settings, words):
        # A cache for each program.
        home = os.path.join(scratch, 'random', '%d-%d' % (entry['compiler'], entry['seed']))
        with lock:
            os.makedirs(home, exist_ok=True)
        env = library.environment(entry['compiler'],
                                  ['OMP_TARGET_OFFLOAD=mandatory'] + settings + arguments.env, home)
        exe = os.path.join(HERE, entry['dir'], entry['exe'])
        kind, number, _, text = execute(command_of(entry, exe, env) + words, env, home, arguments.timeout)
        return kind, number, text

    return random_regions.run_all(chosen, run, arguments.jobs, arguments.random, log)


def machine():
    """What this machine is, and how many GPUs it has."""
    try:
        text = subprocess.run(['nvidia-smi', '--query-gpu=name,driver_version,memory.total',
                               '--format=csv,noheader'], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        text = 'nvidia-smi: %s' % error
    gpus = [l for l in text.splitlines() if re.search(r'MiB', l)]
    return len(gpus), gpus or text.splitlines()[:3]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('-j', dest='jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--peer', action='store_true')
    parser.add_argument('--both', action='store_true')
    parser.add_argument('--image', action='store_true')
    parser.add_argument('--lanes', nargs='?', const='off,force,wait', metavar='MODES')
    parser.add_argument('--random', nargs='?', type=int, const=90, metavar='SECONDS')
    parser.add_argument('--only', default='')
    parser.add_argument('--compilers', default='')
    parser.add_argument('--scenario', default='')
    parser.add_argument('--no-scenarios', action='store_true')
    parser.add_argument('--kernels', choices=('usual', 'small', 'off'), default='usual')
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--devices', type=int, default=-1)
    parser.add_argument('--env', action='append', default=[], help='NAME=VALUE for every program')
    parser.add_argument('--out', default='')
    arguments = parser.parse_args()

    manifest = json.load(open(os.path.join(HERE, 'pack.json')))
    for setting in arguments.env:
        name, _, value = setting.partition('=')
        os.environ[name] = value
    for entry in manifest['tests'] + manifest.get('kernels', []):
        entry['env'] += arguments.env
    gpus, lines = machine()
    if arguments.devices < 0:
        arguments.devices = gpus or 1
    print('gompx %s; %s; %d processors, %s' % (
        manifest['source'], '; '.join(lines), os.cpu_count(), ' '.join(os.uname()[:3:2])))
    for version, text in sorted(manifest['compilers'].items()):
        print('  programs of ' + text)
    scratch = tempfile.mkdtemp(prefix='gpu-pack.')
    if arguments.out:
        os.makedirs(arguments.out, exist_ok=True)
    log = open(os.path.join(arguments.out or scratch, 'gpu-tests.log'), 'w')
    progress = open(os.path.join(arguments.out or scratch, 'progress.log'), 'w')
    if arguments.random is not None:
        passed, failed = random_part(manifest, scratch, arguments, log)
        print('%d passed, %d failed' % (passed, failed))
        shutil.rmtree(scratch, ignore_errors=True)
        return failed != 0
    # Those that need our device library: testsuite/README, TEST-GPU.
    any_library = lambda entry: not entry['ours']
    if arguments.lanes:
        # An image without such regions is linked as if there were no lanes.
        libraries = [Library('lanes-' + mode, 'gompx', scratch, ['GOMP_NVPTX_LANES=' + mode],
                             lambda entry: entry['lanes'])
                     for mode in arguments.lanes.split(',')]
    else:
        libraries = [] if arguments.image else [Library('gompx', 'gompx', scratch)]
        if libraries and arguments.kernels != 'off' and manifest.get('kernels'):
            libraries.append(Library('kernels', 'gompx', scratch, part='kernels'))
    if arguments.both or arguments.image:
        libraries.append(Library('gompx-image', 'gompx', scratch,
                                 ['GOMP_NVPTX_DEVICE_LIBRARY=image'], any_library))
    if arguments.peer and os.path.isdir(os.path.join(HERE, 'peer')):
        libraries.append(Library('gcc', 'peer', scratch, runs=any_library))
    tests = Tests(manifest, arguments, scratch, progress)
    tests.run(libraries)
    if arguments.lanes and len(libraries) > 1:
        tests.compare(libraries)
    tests.report(libraries, log)
    for library in libraries:
        if library.part != 'tests':
            tests.times(library, log)
    counts = {'PASS': 0, 'FAIL': 0, 'SKIP': 0}
    if not arguments.no_scenarios:
        counts = scenarios(libraries[0], manifest, scratch, arguments, log)
    print()
    tests.table(libraries)
    passed = counts['PASS'] + sum(r[0] == 'passed' for k, r in tests.results.items()
                                  if k[0] != 'gcc')
    failed = counts['FAIL'] + sum(r[0] == 'failed' for k, r in tests.results.items()
                                  if k[0] != 'gcc')
    print('%-11s %-8s %7d %7d %12d' % ('gompx', 'scenario', counts['PASS'], counts['FAIL'],
                                    counts['SKIP']))
    print('%.0f s' % (time.monotonic() - START))
    print('%d passed, %d failed' % (passed, failed))
    log.close()
    shutil.rmtree(scratch, ignore_errors=True)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
