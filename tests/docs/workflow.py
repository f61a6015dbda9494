"""Runs the job `check` of a workflow from the documentation on a project with the CMakeLists.txt of its page.

    workflow.py DOLMEN PAGE_FOLDER WORKFLOW PROJECT

The steps' commands run as they stand. The other jobs need a container; here they must only be well formed. 77: no PyYAML."""
import os
import pathlib
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:
    sys.exit(77)

dolmen, page, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
workflow = yaml.safe_load((page / name).read_text())
assert True in workflow or "on" in workflow, "no 'on'"  # YAML 1.1 reads `on` as true
for job in workflow["jobs"].values():
    assert job["runs-on"].startswith("ubuntu-")
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step

work = page / "workflow"
shutil.rmtree(work, ignore_errors=True)
work.mkdir()
shutil.copy(page / sys.argv[4] / "CMakeLists.txt", work)
shutil.copy(dolmen / "examples" / "five_mended.cpp", work / "app.cpp")
(work / "dolmen").symlink_to(dolmen)

commands = "".join(step["run"] + "\n" for step in workflow["jobs"]["check"]["steps"] if "run" in step)
assert "ctest" in commands
environment = dict(os.environ, CMAKE_BUILD_PARALLEL_LEVEL="2", **{k: str(v) for k, v in workflow["jobs"]["check"].get("env", {}).items()})
subprocess.run(["bash", "-e", "-c", commands], cwd=work, env=environment, check=True)

# The same commands fail for a program with mistakes.
shutil.copy(dolmen / "examples" / "five_mistakes.cpp", work / "app.cpp")
failed = subprocess.run(["bash", "-e", "-c", commands], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
output = failed.stdout.decode()
assert failed.returncode != 0 and "[race] in differences" in output, output
