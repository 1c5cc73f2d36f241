"""The contract's messages for google.protobuf, generated from protocol/proto by tools/operations; not edited by hand."""
