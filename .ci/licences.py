"""Prints the licences of all packages that are linked into the programs of a release.

Usage: python3 .ci/licences.py TARGET...
"""

import json
import pathlib
import subprocess
import sys

NAMES = ("licen", "copying", "notice", "unlicense")


def linked(target):
    """Returns the packages that are linked into a program or library for `target`, by name and version."""
    command = ["cargo", "metadata", "--format-version", "1", "--filter-platform", target]
    data = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    waiting, found = list(data["workspace_members"]), {}
    while waiting:
        node = nodes[waiting.pop()]
        for dependency in node["deps"]:
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            if None in kinds and dependency["pkg"] not in found:
                found[dependency["pkg"]] = packages[dependency["pkg"]]
                waiting.append(dependency["pkg"])
    return {(p["name"], p["version"]): p for p in found.values() if p["source"]}


def main():
    packages = {}
    for target in sys.argv[1:]:
        packages.update(linked(target))
    print("Soffio is linked with these packages, under the licences that follow.\n")
    texts = {}
    for (name, version), package in sorted(packages.items()):
        print(f"{name} {version}: {package['license'] or 'see below'}")
        folder = pathlib.Path(package["manifest_path"]).parent
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.name.lower().startswith(NAMES):
                text = path.read_text(errors="replace").strip()
                texts.setdefault(text, []).append(f"{name} {version}")
    for text, names in texts.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n{'-' * 80}\n{text}")


main()
