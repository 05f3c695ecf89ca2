"""Tests of the documentation: doctests, pages and examples."""

import ast
import doctest
import importlib.util
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import sysconfig

import pictures
import pytest

import soffio

ROOT = pathlib.Path(__file__).parents[2]
MODULES = ["soffio", *(f"soffio.{module.name}" for module in pkgutil.iter_modules(soffio.__path__) if module.name[0] != "_")]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_are_correct(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(("page", "least"), [("python.md", 5), ("python-arrays.md", 3)])
def test_the_page_is_correct(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The pages must run the program from the package.
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"), prepend=os.pathsep)
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= least
    names = {}
    for block in blocks:
        exec(compile(block, f"docs/{page}", "exec"), names)


def test_the_pictures_of_the_readme_are_current():
    drawn = pictures.draw()
    assert pictures.stale(drawn) == [], "run tests/python/pictures.py"
    readme = (ROOT / "README.md").read_text()
    assert all(f"docs/images/{name}" in readme and len(text) < 30_000 for name, text in drawn.items())
    assert {path.name for path in pictures.IMAGES.iterdir()} == set(drawn)
    match = drawn["match.svg"]
    assert pictures.stale({"match.svg": match.replace(" ms per move", "5 ms per move")}) == []
    changed = {"match.svg": match.replace("H1 accepted", "open"), "board.svg": ""}
    assert pictures.stale(changed) == ["match.svg", "board.svg"]


def test_everything_public_is_documented():
    for name in soffio.__all__:
        thing = getattr(soffio, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                if member[0] != "_" and (callable(value) or isinstance(value, (property, staticmethod, classmethod))):
                    assert inspect.getdoc(getattr(thing, member, value)), f"{name}.{member}"


def test_the_stubs_match_the_extension():
    from soffio import _soffio

    source = pathlib.Path(soffio.__file__).with_name("_soffio.pyi").read_text()
    stubs = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            stubs[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            stubs[node.name] = set()
    public = {name for name in vars(_soffio) if name[0] != "_"}
    assert {name for name in stubs if name[0] != "_"} == public
    for name, members in stubs.items():
        if members:
            real = {member for member in vars(getattr(_soffio, name)) if member[0] != "_" or member == "_repr_svg_"}
            assert {member for member in members if member[:2] != "__"} == real, name


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="one Python version is enough")
def test_types_pass_mypy():
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-p", "soffio"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
