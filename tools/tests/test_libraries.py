"""Checks the list of the native program's libraries (SBOM) and of their licences."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("libraries", ROOT / "packaging" / "linux" / "libraries.py")
assert SPEC is not None and SPEC.loader is not None
libraries = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(libraries)


def _component(name: str, licence: str | None, **more: Any) -> dict[str, Any]:
    licences = [{"license": {"id": licence}}] if licence else []
    return {"name": name, "version": "1.0.0", "licenses": licences, **more}


def test_each_licence_is_printed_once_with_all_its_libraries(tmp_path: Path) -> None:
    folder = tmp_path / "own" / "1.0.0"
    folder.mkdir(parents=True)
    (folder / "THIRD-PARTY-NOTICES.TXT").write_text("A notice of its own")
    sbom = {
        "components": [
            _component("First", "MIT", copyright="© First"),
            _component("Second", "MIT", authors=[{"name": "A"}, {"name": "B"}]),
            _component("Own", "Apache-2.0", copyright="© Own"),
        ]
    }
    text = libraries.notices(sbom, tmp_path)
    assert "\nFirst 1.0.0 (MIT): © First\nSecond 1.0.0 (MIT): A, B\n-----" in text
    assert text.count("Permission is hereby granted") == 1
    assert "Apache License" in text and text.endswith("A notice of its own\n")


@pytest.mark.parametrize("licence, message", [(None, "licence of A 1.0.0 is"), ("GPL-3.0", "text of GPL-3.0 is")])
def test_library_without_known_licence_is_an_error(licence: str | None, message: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=message):
        libraries.notices({"components": [_component("A", licence)]}, tmp_path)


def test_linked_runtime_is_added(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sbom, assets = tmp_path / "sbom.json", tmp_path / "assets.json"
    sbom.write_text(json.dumps({"components": [_component("A", "MIT", copyright="© A")]}))
    wanted = [
        {"name": "Microsoft.NETCore.App.Runtime.NativeAOT.linux-x64", "version": "[10.0.12, 10.0.12]"},
        {"name": "runtime.linux-x64.Microsoft.DotNet.ILCompiler", "version": "[10.0.12, 10.0.12]"},
        {"name": "Microsoft.NETCore.App.Host.linux-x64", "version": "[10.0.12, 10.0.12]"},
        {"name": "Microsoft.NETCore.App.Runtime.linux-arm64", "version": "[10.0.12, 10.0.12]"},
    ]
    assets.write_text(json.dumps({"project": {"frameworks": {"net10.0": {"downloadDependencies": wanted}}}}))
    assert libraries.main(str(sbom), str(tmp_path), str(assets), "linux-x64") == 0
    names = [(each["name"], each["version"]) for each in json.loads(sbom.read_text())["components"]]
    assert names == [
        ("A", "1.0.0"),
        ("Microsoft.NETCore.App.Runtime.NativeAOT.linux-x64", "10.0.12"),
        ("runtime.linux-x64.Microsoft.DotNet.ILCompiler", "10.0.12"),
    ]
    assert "NativeAOT.linux-x64 10.0.12 (MIT): © .NET Foundation and Contributors" in capsys.readouterr().out
    sbom.write_text(json.dumps({"components": []}))
    with pytest.raises(SystemExit, match="lists no library"):
        libraries.main(str(sbom), str(tmp_path), str(assets), "linux-x64")
    sbom.write_text(json.dumps({"components": [_component("A", "MIT", copyright="© A")]}))
    with pytest.raises(SystemExit, match="does not name the .NET runtime"):
        libraries.main(str(sbom), str(tmp_path), str(assets), "linux-riscv64")
