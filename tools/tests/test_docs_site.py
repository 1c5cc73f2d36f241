"""`./larder docs` builds a site whose links, search, navigation and diagrams work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "docs" / "site"
CHROMIUM = Path("/usr/bin/chromium")


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = set[str]()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            elif value and name == "id":
                self.anchors.add(value)


def _install_packages() -> str:
    """Install the npm packages of the site if they are missing. Returns the reason if that fails."""
    if (SOURCES / "node_modules" / ".package-lock.json").is_file():
        return ""
    words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        installed = subprocess.run(words, cwd=SOURCES, capture_output=True, text=True, timeout=180, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return installed.stderr if installed.returncode else ""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = _install_packages()
    if reason:
        pytest.skip(f"the npm packages of docs/site cannot be installed: {reason}")
    folder = tmp_path_factory.mktemp("site")
    words = [ROOT / "larder", "docs", "--build", "--pages", "--output", folder]
    built = subprocess.run(words, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {f"/{path.relative_to(site)}": Page(path) for path in site.rglob("*.html")}


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    with subprocess.Popen(["node", SOURCES / "serve.mjs", site, "0"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        served = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
        assert served is not None
        yield served.group()
        server.kill()


def _leads_nowhere(site: Path, pages: dict[str, Page], page: str, link: str) -> bool:
    target = urlsplit(urljoin(page, link))
    path = unquote(target.path) + ("index.html" if target.path.endswith("/") else "")
    if path not in pages:
        return not (site / path.lstrip("/")).is_file()
    return bool(target.fragment) and unquote(target.fragment) not in pages[path].anchors


def test_internal_links_point_to_existing_pages_and_anchors(site: Path, pages: dict[str, Page]) -> None:
    links = {(page, link) for page in pages for link in pages[page].links if not urlsplit(link).scheme}
    assert len(pages) > 150 and len(links) > 5_000
    assert sorted(each for each in links if _leads_nowhere(site, pages, *each)) == []


def test_broken_link_is_reported(site: Path, pages: dict[str, Page]) -> None:
    for link in ("nowhere.html", "/guides/install.html#nowhere", "#nowhere", "/assets/nowhere.js"):
        assert _leads_nowhere(site, pages, "/index.html", link), link


def test_sidebar_lists_the_pages_of_the_index(pages: dict[str, Page]) -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    named = set(re.findall(r"\]\(((?:guides|reference|story)/[\w/-]+)\.md\)", index))
    assert len(named) > 40
    assert {name for name in named if f"/{name}.html" not in pages["/index.html"].links} == set()


SEARCH = """
import { readdirSync, readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
const folder = `${process.argv[1]}/assets/chunks`;
const file = readdirSync(folder).find((name) => name.startsWith('@localSearchIndexroot'));
const source = readFileSync(`${folder}/${file}`, 'utf8');
const { default: json } = await import(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
const index = MiniSearch.loadJSON(json, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] });
console.log(JSON.stringify(index.search(process.argv[2]).map(({ id }) => id)));
"""


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("gateways", "/guides/from-a-server-to-a-fleet.html"),
        ("systemd", "/guides/install.html"),
        ("--console-port", "/reference/server.html"),
    ],
)
def test_search_returns_the_page_that_contains_a_word(site: Path, pages: dict[str, Page], word: str, page: str) -> None:
    words = ["node", "--input-type=module", "-e", SEARCH, site, word]
    searched = subprocess.run(words, cwd=SOURCES, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(searched.stdout)
    assert page in {each.split("#")[0] for each in found[:40]}
    assert [each for each in found if _leads_nowhere(site, pages, "/", each)] == []


def test_server_serves_pages_and_nothing_outside_the_site(address: str) -> None:
    with urllib.request.urlopen(f"{address}/guides/install.html") as answer:
        assert answer.headers["content-type"] == "text/html; charset=utf-8" and b"systemd" in answer.read()
    for path in ("/nowhere.html", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/%"):
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(address + path)
        assert caught.value.code == 404


@pytest.mark.skipif(not CHROMIUM.is_file(), reason="Chromium is not installed: tools/setup browser")
def test_page_draws_its_diagrams_in_a_browser(address: str, tmp_path: Path) -> None:
    words = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    words += ["--enable-logging=stderr", "--virtual-time-budget=60000", "--dump-dom", f"{address}/architecture.html"]
    shown = subprocess.run(words, capture_output=True, text=True, check=True)
    assert re.findall(r"CONSOLE.*(?:Error|Uncaught).*", shown.stderr) == []
    assert len(re.findall(r'<svg[^>]* id="diagram-\d+"', shown.stdout)) == 2


def test_unknown_argument_is_rejected() -> None:
    refused = subprocess.run([ROOT / "larder", "docs", "--prot"], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "unknown argument '--prot'" in refused.stderr and "--port N" in refused.stderr


def test_node_reference_covers_every_package_entry_point() -> None:
    exports = json.loads((ROOT / "clients/node/package.json").read_text())["exports"]
    entries = {Path(each["import"]["types"].replace("dist/", "").replace(".d.ts", ".ts")) for each in exports.values()}
    shown = json.loads((SOURCES / "typedoc.json").read_text())["entryPoints"]
    assert {Path(os.path.relpath(SOURCES / each, ROOT / "clients/node")) for each in shown} == entries


def test_python_reference_has_every_public_module() -> None:
    package = ROOT / "clients/python/larder_cache"
    shown = "".join(path.read_text() for path in (SOURCES / "python").glob("*.rst"))
    modules = {f"larder_cache.{path.stem}" for path in package.glob("[a-z]*.py")}
    reexported = set(re.findall(r"^from (larder_cache\.\w+) import", (package / "__init__.py").read_text(), re.M))
    assert sorted(modules - reexported - set(re.findall(r"automodule:: (.*)", shown))) == []
