#!/usr/bin/env python3
"""What is not a matter of one input:  soak.py WAVESIM BUILD SECONDS [SEED]

Until the time is over, in turn: a random program against PoCL; a damaged input of every kind (kernels, .sim, .wave,
bitcode, launch files, stores, device files); a run that is killed; a run whose temporary folder, outputs or store have no
room; two users of one store. A crash is an end by a signal, or by a status that wavesim does not give; a hang is a run of
more than HANG seconds. In the end nothing may be left in the temporary folder. The last line has the figures."""
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

HANG = 600
wavesim, build, seconds = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), float(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
runner = os.path.join(os.path.dirname(wavesim), 'wavesim-runner')
root = pathlib.Path(__file__).resolve().parent.parent
rng = random.Random(seed)
work = pathlib.Path(tempfile.mkdtemp(prefix='soak-'))
temporary = work / 'tmp'
temporary.mkdir()
environment = {**os.environ, 'TMPDIR': str(temporary), 'POCL_CACHE_DIR': str(work / 'pocl')}
faults, done = [], {}


def fault(kind, what, text=''):
    faults.append(kind)
    print(f'{kind}: {what}\n{text[-2000:]}', flush=True)


def start(words, **more):
    return subprocess.Popen([str(w) for w in words], cwd=work, env={**environment, **more.pop('env', {})}, text=True,
                            errors='replace', stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True, **more)


def end(p, what, good=(0, 1, 2)):
    try:
        said = p.communicate(timeout=HANG)[1]
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        fault('hang', what, p.communicate()[1])
        return None
    if p.returncode not in good or 'Sanitizer' in said or 'ended by signal' in said:
        fault('crash', f'{what}: status {p.returncode}', said)
    return said


def damaged(data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 40))):
        at, n = rng.randrange(len(data) or 1), rng.choice((1, 1, 2, 4, 64))
        how = rng.randrange(5)
        if how == 0:
            data[at:at + n] = rng.randbytes(n)
        elif how == 1:
            del data[at:at + n]
        elif how == 2:
            data[at:at] = data[at:at + n] * rng.choice((1, 2, 100))
        elif how == 3 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        else:
            data[at:at + n] = rng.choice((b'0', b'-1', b'4294967296', b'\0', b'*/', b'"', b'99999999999999999999', b'('))
    return bytes(data)


def inputs():
    kernels = sorted(root.glob('tests/cases/*/*/kernel.cl')) + sorted(root.glob('lessons/*/*.cl'))
    bitcode = sorted((work / 'seeds' / 'fuzz_bitcode').glob('*.bc'))
    return {'kernel': kernels, 'sim': sorted(root.glob('tests/**/*.sim')), 'wave': sorted(root.glob('tests/isa/*.wave')),
            'bitcode': bitcode, 'launches': sorted(root.glob('traces/samples/*.launches')), 'store': [work / 'good.db'],
            'device': sorted(root.glob('models/device/shipped/*.ini'))}


LIMITS = ['--max-instructions', '1000000', '--max-launch-instructions', '100000000', '--timeout', '60', '--threads', '2']


def random_program():
    number = rng.randrange(1 << 31)
    subprocess.run([build / 'tests/gen/gen', str(number), '--out', work / 'random.cl'], check=True)
    p = start([wavesim, 'random.cl', '--quiet', '--error-exitcode', '9'])
    said = end(p, f'random program {number}', (0, 9))
    if p.returncode == 9:
        fault('wrong', f'random program {number}', said)


def damaged_input():
    kind = rng.choice([k for k, v in sources.items() if v])
    of = rng.choice(sources[kind])
    name, before = work / f'damaged-{turn}{of.suffix}', len(faults)
    name.write_bytes(damaged(of.read_bytes()))
    words = {'kernel': [wavesim, name, '--quiet', *LIMITS], 'sim': [wavesim, name, '--quiet', *LIMITS],
             'wave': [wavesim, name, '--quiet', *LIMITS], 'bitcode': [wavesim, name, '--quiet', *LIMITS],
             'launches': [wavesim, 'replay', name, '--quiet', *LIMITS], 'store': rng.choice(([runner, 'info', '--db', name], [runner, 'export', '-', '--db', name],
                                 [wavesim, 'crosscheck', name, '--quiet'])),
             'device': [wavesim, 'k.cl', '--quiet', '--device', name]}[kind]
    end(start(words), f'{kind} damaged from {of.name}, kept as {name}')
    if len(faults) == before:
        name.unlink()


def killed_run():
    p = start([wavesim, rng.choice(sources['kernel']), '--store', 'shared.db', '--json', 'killed.json', *LIMITS])
    time.sleep(rng.random() * 1.5)
    os.kill(p.pid, rng.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
    p.communicate()
    end(start([runner, 'info', '--db', 'shared.db']), 'the store after a kill', (0,))


def full_disk():
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (rng.choice((0, 512, 4096, 1 << 16)),) * 2)
        signal.signal(signal.SIGXFSZ, rng.choice((signal.SIG_IGN, signal.SIG_DFL)))
    words = [wavesim, 'k.cl', '--quiet', rng.choice(('--json', '--html', '--store', '--log')), 'full.out']
    if rng.randrange(2):
        end(start(words, preexec_fn=small), 'no room', (0, 2, -signal.SIGXFSZ))
    elif mounted:
        (work / 'disk' / 'fill').write_bytes(bytes(rng.randrange(1 << 16)))
        words[-1] = work / 'disk' / 'out'
        end(start(words, env=rng.choice(({}, {'TMPDIR': str(work / 'disk')}))), 'a full disk')
        for f in (work / 'disk').iterdir():
            if f.name.startswith('wavesim'):
                fault('left', str(f))
            f.unlink()


def two_users():
    both = [start([wavesim, 'k.cl', '--quiet', '--global', str(64 * rng.randrange(1, 50)), '--store', 'shared.db'])
            for _ in range(2)]
    for p in both:
        end(p, 'two users of one store', (0,))


(work / 'k.cl').write_text('kernel void k(global int *a) { a[get_global_id(0)] += 1; }\n')
subprocess.run(['sh', root / 'tests/fuzz/seeds.sh', work / 'seeds'], stdout=subprocess.DEVNULL, check=False)
end(start([wavesim, 'k.cl', '--quiet', '--store', 'good.db']), 'a store', (0,))
(work / 'shared.db').write_bytes((work / 'good.db').read_bytes())
(work / 'disk').mkdir()
mounted = os.getuid() == 0 and not subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', work / 'disk'],
                                                  stderr=subprocess.DEVNULL, check=False).returncode
sources = inputs()
jobs = [random_program, damaged_input, damaged_input, killed_run, full_disk, two_users]
began = time.monotonic()
turn = 0
while time.monotonic() - began < seconds:
    job = jobs[turn % len(jobs)]
    turn += 1
    job()
    done[job.__name__] = done.get(job.__name__, 0) + 1
took = time.monotonic() - began
for _ in range(100):  # supervisors clean up behind a kill
    left = [p for p in temporary.iterdir() if p.name.startswith('wavesim')]
    if not left:
        break
    time.sleep(0.1)
for p in left:
    fault('left', str(p))
if mounted:
    subprocess.run(['umount', work / 'disk'], check=False)
print(f'soak: {took:.0f} s, seed {seed}: ' + ', '.join(f'{n} {k}' for k, n in done.items()) + '; ' +
      ', '.join(f'{faults.count(k)} {k}' for k in ('crash', 'hang', 'wrong', 'left')))
if not faults:
    subprocess.run(['rm', '-rf', work], check=False)
sys.exit(bool(faults))
