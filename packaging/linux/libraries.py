"""Complete the list of libraries of the native program, and write their licences.

Usage: libraries.py SBOM PACKAGES ASSETS RUNTIME

Adds the .NET runtime, which the compiler links into the program, to the file SBOM (CycloneDX). Prints each licence
with the libraries to which it applies. A licence comes from the package in NuGet's folder PACKAGES, or else from the
folder `licenses`. ASSETS is the restored project's project.assets.json, RUNTIME for example linux-x64.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

STANDARD = Path(__file__).parent / "licenses"
APACHE = Path(__file__).parents[2] / "LICENSE"
RULE = "-" * 80


def own_texts(folder: Path) -> list[str]:
    """Return the licence and the notices that a package contains."""
    files = [file for file in folder.iterdir() if file.is_file() and file.stem.lower().startswith(("licen", "third"))]
    return [file.read_text("utf-8-sig").strip() for file in sorted(files)]


def standard_text(licence: str) -> str:
    file = APACHE if licence == "Apache-2.0" else STANDARD / f"{licence}.txt"
    if not file.is_file():
        raise SystemExit(f"libraries: the text of {licence} is missing; add packaging/linux/licenses/{licence}.txt")
    return file.read_text().strip()


def linked(assets: dict[str, Any], runtime: str) -> list[dict[str, Any]]:
    """Return the parts of .NET that are linked into the program, as components of the SBOM."""
    parts: dict[str, str] = {}
    for framework in assets["project"]["frameworks"].values():
        for each in framework.get("downloadDependencies", []):
            name = each["name"]
            if runtime in name.lower() and re.search(r"\.(Runtime|ILCompiler)\b", name):
                parts[name] = re.findall(r"[\d.]+[\w.-]*", each["version"])[0].rstrip(".")
    return [
        {
            "type": "framework",
            "bom-ref": f"pkg:nuget/{name}@{version}",
            "name": name,
            "version": version,
            "scope": "required",
            "licenses": [{"license": {"id": "MIT"}}],
            "copyright": "© .NET Foundation and Contributors",
            "purl": f"pkg:nuget/{name}@{version}",
        }
        for name, version in sorted(parts.items())
    ]


def notices(sbom: dict[str, Any], packages: Path) -> str:
    """Return the licences, each once with all libraries to which it applies."""
    named: dict[str, list[str]] = defaultdict(list)
    for component in sbom["components"]:
        name, version = component["name"], component["version"]
        licences = [each.get("license", {}).get("id") for each in component.get("licenses", [])]
        if not licences or None in licences:
            raise SystemExit(f"libraries: the licence of {name} {version} is unknown")
        holder = component.get("copyright") or ", ".join(each["name"] for each in component.get("authors", []))
        folder = packages / name.lower() / version.lower()
        texts = [standard_text(licence) for licence in licences] + (own_texts(folder) if folder.is_dir() else [])
        for text in dict.fromkeys(texts):
            named[text].append(f"{name} {version} ({', '.join(licences)}): {holder}\n")
    text = "The program larder contains these libraries. Each text applies to the libraries above it.\n"
    return text + "".join(f"\n{RULE}\n{''.join(lines)}{RULE}\n\n{licence}\n" for licence, lines in named.items())


def main(sbom: str, packages: str, assets: str, runtime: str) -> int:
    document = json.loads(Path(sbom).read_text())
    if not document.get("components"):
        raise SystemExit(f"libraries: {sbom} lists no library; restore the project first")
    found = linked(json.loads(Path(assets).read_text()), runtime)
    if not found:
        raise SystemExit(f"libraries: {assets} does not name the .NET runtime of {runtime}")
    document["components"] += found
    Path(sbom).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    sys.stdout.write(notices(document, Path(packages)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
