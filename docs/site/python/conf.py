"""Sphinx builds the reference of the Python client from its doc comments."""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "clients" / "python"))

project = "Larder for Python"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = project
html_show_copyright = html_show_sphinx = html_copy_source = html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["style.css"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": "Exception,tuple,Enum,str"}
FRAMEWORKS = ("celery", "django", "dogpile", "flask", "flask_caching", "kombu", "msgpack", "opentelemetry")
autodoc_mock_imports = [name for name in FRAMEWORKS if importlib.util.find_spec(name) is None]
# Doc comments write code as in Markdown: `name`.
default_role = "literal"
