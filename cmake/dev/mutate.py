#!/usr/bin/env python3
"""Part of ./dev mutate: puts small mistakes into a copy of the sources, one at a time, and expects the tests to notice.

A mutant is a patch, tests/mutants/AREA/NAME.patch. Lines before the patch say what to do with it:

  # tests: PRESET NAME...   the preset to build, and the tests to run, as ctest names them without the backend
  # refused                 the mistake does not compile, as it should

Words: killed (a test failed, or did not end in time, or the compiler refused what it should refuse), survived (all tests passed),
invalid (it does not compile and does not say so, or no test ran). A patch that does not apply is an error before anything is built.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATCHES = ROOT / "tests" / "mutants"
WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"


def fail(text):
    sys.exit("mutate: " + text)


class Mutant:
    def __init__(self, path):
        self.path = path
        self.area, self.name = path.parent.name, path.stem
        self.full_name = f"{self.area}/{self.name}"
        self.text = path.read_text()
        head = re.match(r"(#.*\n)*", self.text).group(0)
        tests = re.search(r"^# tests: *(\S+) +(\S.*)$", head, re.M)
        if not tests:
            fail(f"{self.full_name}: there is no line '# tests: PRESET NAME...' before the patch")
        self.preset, self.tests = tests.group(1), tests.group(2).split()
        self.refused = re.search(r"^# refused$", head, re.M) is not None
        self.files = sorted(set(re.findall(r"^\+\+\+ b/(\S+)$", self.text, re.M)))

    def pattern(self):
        return "^(" + "|".join(self.tests) + ")(/(cpu|cuda|check))?$"


def run(command, log=None, **options):
    """The exit status and the output of a command."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if log:
        log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}")
        log.flush()
    return done.returncode, done.stdout


def copy_tree():
    """Makes TREE hold what the working tree holds; files that did not change keep their times, so that nothing is built twice."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE).stdout.decode().split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in names:
        source, target = ROOT / name, TREE / name
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)  # with the time of the copy: it is newer than what was built of another text
    for folder, folders, files in os.walk(TREE):
        folders[:] = [f for f in folders if f not in ("build", ".deps")]
        for file in files:
            path = pathlib.Path(folder) / file
            if str(path.relative_to(TREE)) not in names and not path.is_symlink():
                path.unlink()
    if (ROOT / ".deps").exists() and not (TREE / ".deps").exists():
        (TREE / ".deps").symlink_to(ROOT / ".deps")


def apply(mutant, *options):
    # Outside of a repository, where paths are those of the folder.
    environment = dict(os.environ, GIT_CEILING_DIRECTORIES=str(WORK))
    return run(["git", "apply", *options, str(mutant.path)], cwd=TREE, env=environment)


def restore(mutant):
    for name in mutant.files:
        shutil.copy(ROOT / name, TREE / name)


class Builds:
    """The build folders of the copy, one for each preset."""

    def __init__(self, settings, limit, log):
        self.settings, self.limit, self.log = settings, limit, log
        self.jobs = os.environ.get("DOLMEN_JOBS") or str(os.cpu_count())

    def configure(self, preset):
        code, output = run(["./dev", "build", preset, *self.settings, "--target", "help"], self.log, cwd=TREE)
        if code:
            fail(f"configuring {preset} failed:\n{output}")

    def folder(self, preset):
        return TREE / "build" / preset

    def programs(self, mutant):
        """The programs that a mutant's tests run. From CTest's files: CTest itself does not name a program that is not built yet."""
        folder = self.folder(mutant.preset)
        known, found = set(), set()
        for file in folder.rglob("CTestTestfile.cmake"):
            for name, command in re.findall(r"^add_test\((?:\[=*\[)?([^] ]+)(.*)$", file.read_text(), re.M):
                if re.search(mutant.pattern(), name):
                    known |= {name, re.sub(r"/(cpu|cuda|check)$", "", name)}
                    found |= set(re.findall(re.escape(str(folder)) + r"/[^\s\"]*?/(test_\w+|dolmen-study)\b", command))
        for name in mutant.tests:
            if name not in known:
                fail(f"{mutant.full_name}: {mutant.preset} has no test '{name}'")
        return sorted(found)

    def build(self, preset, programs):
        return run(["cmake", "--build", str(self.folder(preset)), "-j", self.jobs, "--target", *programs], self.log)

    def test(self, preset, pattern):
        """passed, failed or nothing."""
        code, output = run(["ctest", "-j", self.jobs, "--no-tests=error", "--output-on-failure", "--timeout", str(self.limit), "-R", pattern],
                           self.log, cwd=self.folder(preset))
        passed = len(re.findall(r"\.\.+ +Passed ", output))
        if code == 0:
            return "passed" if passed else "nothing"
        return "nothing" if "No tests were found" in output else "failed"


def judge(builds, mutant):
    """The word for a mutant, and its cause."""
    code, output = apply(mutant)
    if code:
        return "invalid", "it does not apply: " + output.strip()
    try:
        code, output = builds.build(mutant.preset, builds.programs(mutant))
        if code:
            return ("killed", "refused by the compiler") if mutant.refused else ("invalid", "it does not compile")
        if mutant.refused:
            return "survived", "it compiles"
        word = builds.test(mutant.preset, mutant.pattern())
        return {"passed": ("survived", ""), "failed": ("killed", ""), "nothing": ("invalid", "no test ran")}[word]
    finally:
        restore(mutant)


def table(results):
    """results: full name -> word. Lines of Markdown, by area."""
    areas = sorted({name.split("/")[0] for name in results})
    lines = ["| area | mutants | killed | survived | score |", "| --- | ---: | ---: | ---: | ---: |"]
    for area in areas + ["all"]:
        words = [w for name, w in results.items() if area == "all" or name.startswith(area + "/")]
        killed, survived = words.count("killed"), words.count("survived")
        score = f"{100 * killed // max(1, killed + survived)}%"
        lines.append(f"| {area} | {len(words)} | {killed} | {survived} | {score} |")
    return lines


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate", description="Puts small mistakes into a copy of the sources and expects the tests to notice.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="regular expressions of areas and names; all without")
    parser.add_argument("--list", action="store_true", help="list the mutants and their tests")
    parser.add_argument("--check", action="store_true", help="only see that the patches apply")
    parser.add_argument("--limit", type=int, default=120, metavar="SECONDS", help="time for a test; longer counts as killed")
    arguments, settings = parser.parse_known_args()
    unknown = [s for s in settings if not s.startswith("-D")]
    if unknown:
        fail(f"unknown argument '{unknown[0]}'; ./dev mutate --help says what there is")

    mutants = [Mutant(path) for path in sorted(PATCHES.glob("*/*.patch"))]
    mutants = [m for m in mutants if not arguments.names or any(re.search(n, m.full_name) for n in arguments.names)]
    if not mutants:
        fail("no mutant has such a name; ./dev mutate --list lists them")
    if arguments.list:
        for m in mutants:
            print(f"{m.full_name:45} {m.preset}: {' '.join(m.tests)}")
        return 0

    TREE.mkdir(parents=True, exist_ok=True)
    copy_tree()
    stale = [f"{m.full_name}: {output.strip()}" for m in mutants for code, output in [apply(m, "--check")] if code]
    if stale:
        fail("these patches do not apply:\n" + "\n".join(stale))
    if arguments.check:
        print(f"{len(mutants)} patches apply")
        return 0

    with open(WORK / "log.txt", "w") as log:
        builds = Builds(settings, arguments.limit, log)
        for preset in sorted({m.preset for m in mutants}):
            ours = [m for m in mutants if m.preset == preset]
            builds.configure(preset)
            programs = sorted({p for m in ours for p in builds.programs(m)})
            print(f"{preset}: {len(programs)} programs without a mistake", flush=True)
            if builds.build(preset, programs)[0]:
                fail(f"{preset} does not build; see {WORK / 'log.txt'}")
            for pattern in sorted({m.pattern() for m in ours}):
                if builds.test(preset, pattern) != "passed":
                    fail(f"{preset}: the tests {pattern} do not pass without a mistake; see {WORK / 'log.txt'}")
        results = {}
        for k, m in enumerate(mutants, 1):
            begin = time.monotonic()
            word, cause = judge(builds, m)
            results[m.full_name] = word
            print(f"{k:3} of {len(mutants)}  {m.full_name:45} {word:9} {time.monotonic() - begin:4.0f} s  {cause}", flush=True)
            (WORK / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    print("\n".join(table(results)))
    for word in ("survived", "invalid"):
        names = [name for name, w in results.items() if w == word]
        if names:
            print(f"{word}: {' '.join(names)}")
    return 0 if set(results.values()) == {"killed"} else 1


if __name__ == "__main__":
    sys.exit(main())
