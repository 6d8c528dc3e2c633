"""assemble.py WADI OUT: the pages of the site, from docs/, the headers, and the tables of the command.

Pages link to files of the repository. Such a file becomes a page, too. The reference is made from the command's help,
from the headers, and, where it is built, from the docstrings of the Python package.
"""

import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)]*)?\)")
LANGUAGES = {".h": "c", ".hpp": "cpp", ".cu": "cpp", ".yaml": "yaml", ".def": "c"}


def is_outside(link):
    return "://" in link or link.startswith("mailto:")


class Site:
    def __init__(self, out):
        self.out = out
        self.pages = {}  # file of the repository: page of the site
        self.waiting = []

    def page_of(self, file):
        """The page of a file or folder; None: it has none."""
        if file in self.pages:
            return self.pages[file]
        relative = file.relative_to(ROOT)
        if relative.parts[:2] == ("docs", "site"):
            page = Path(*relative.parts[2:])
        elif relative.parts[0] == "docs":
            page = Path(*relative.parts[1:])
        elif file.suffix == ".md":
            page = Path("project") / relative
        else:
            page = Path("project") / (str(relative) + ".md")
        self.pages[file] = page
        self.waiting.append(file)
        return page

    def link(self, file, page, deep):
        """A link of a page as the site has it."""

        def replace(match):
            target = match.group(2)
            if is_outside(target) or target.startswith("reference/"):
                return match.group(0)
            aimed = (file.parent / target).resolve()
            if not aimed.exists():
                raise SystemExit(f"{file}: no such file: {target}")
            if aimed.suffix in (".png", ".jpg", ".svg"):
                return f"]({os.path.relpath(aimed.relative_to(ROOT / 'docs'), page.parent)})"
            if deep and aimed not in self.pages:
                return "](" + "#" + ")"  # a page of the code: its own links end here
            return f"]({os.path.relpath(self.page_of(aimed), page.parent)}{match.group(3) or ''})"

        return replace

    def write(self, page, text):
        path = self.out / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add(self, file):
        page = self.page_of(file)
        if file.is_dir():
            names = sorted(child.name for child in file.iterdir())
            self.write(page, f"# {file.relative_to(ROOT)}\n\n" + "".join(f"- `{name}`\n" for name in names))
        elif file.suffix == ".md":
            deep = page.parts[0] == "project"
            self.write(page, LINK.sub(self.link(file, page, deep), file.read_text(encoding="utf-8")))
        else:
            code = file.read_text(encoding="utf-8").replace("```", "'''")
            language = LANGUAGES.get(file.suffix, file.suffix[1:])
            self.write(page, f"# {file.relative_to(ROOT)}\n\n```{language}\n{code}\n```\n")

    def add_all(self):
        for file in sorted((ROOT / "docs").rglob("*.md")):
            self.page_of(file)
        for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
            self.page_of(ROOT / name)
        for header in headers():
            self.page_of(header)
        while self.waiting:
            self.add(self.waiting.pop())
        for picture in (ROOT / "docs").rglob("*"):
            if picture.suffix in (".png", ".jpg", ".svg", ".css"):
                target = self.out / picture.relative_to(ROOT / "docs")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(picture, target)


def headers():
    return sorted((ROOT / "include" / "wadi").glob("*.h"))


def say(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def commands(wadi):
    text = ["# Commands", f"```\n{say(wadi, 'help')}```"]
    for line in say(wadi, "--help-words").splitlines():
        name = line.split("\t")[0]
        if name != "view" or Path(f"{wadi}-view").exists():
            text.append(f"## wadi {name}\n\n```\n{say(wadi, 'help', name)}```")
    for line in say(wadi, "models").splitlines():
        name = line.split(" ")[0]
        if re.fullmatch(r"[a-z]+[0-9]{4}", name):
            text.append(f"## Parameters of {name}\n\n```\n{say(wadi, 'models', name)}```")
    return "\n\n".join(text) + "\n"


def python_members(value):
    for name, member in vars(value).items():
        found = inspect.unwrap(getattr(member, "__func__", member))
        if name.startswith("_") or not (inspect.isfunction(found) or isinstance(member, property)):
            continue
        call = "" if isinstance(member, property) else str(inspect.signature(found))
        yield f"#### `{name}{call}`\n\n```\n{inspect.getdoc(member) or ''}\n```"


def python(package):
    sys.path.insert(0, str(package))
    try:
        wadi = importlib.import_module("wadi")
    except ImportError:
        return "# Python\n\nThe package was not built with this site: see [Python](../python.md).\n"
    text = ["# Python", f"```\n{inspect.getdoc(wadi)}\n```"]
    for name in wadi.__all__:
        value = getattr(wadi, name)
        if not callable(value):
            continue
        error = inspect.isclass(value) and issubclass(value, BaseException)
        call = "" if error else inspect.signature(value)
        text.append(f"### `{name}`\n\n```\n{name}{call}\n\n{inspect.getdoc(value)}\n```")
        if inspect.isclass(value) and not error:
            text += python_members(value)
    return "\n\n".join(text) + "\n"


def configuration(out):
    models = sorted((ROOT / "docs" / "models").glob("*.md"))
    text = (ROOT / "docs" / "site" / "mkdocs.yml").read_text()
    text = text.replace("DOCS", str(out / "pages")).replace("SITE", str(out / "html"))
    text = text.replace("MODELS", "\n".join(f"      - {m.stem}: models/{m.name}" for m in models))
    return text.replace("HEADERS", "\n".join(f"      - {h.name}: project/include/wadi/{h.name}.md" for h in headers()))


def main(wadi, out):
    out = Path(out).resolve()
    shutil.rmtree(out, ignore_errors=True)
    site = Site(out / "pages")
    site.add_all()
    site.write("reference/command.md", commands(wadi))
    site.write("reference/python.md", python(Path(wadi).parent / "python"))
    (out / "mkdocs.yml").write_text(configuration(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
