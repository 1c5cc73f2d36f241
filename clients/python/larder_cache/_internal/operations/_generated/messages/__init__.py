"""Messages generated from protocol/proto by tools/operations; not edited by hand."""
