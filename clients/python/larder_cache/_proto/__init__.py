"""Messages generated from protocol/proto by tools/python-messages; not edited by hand."""
