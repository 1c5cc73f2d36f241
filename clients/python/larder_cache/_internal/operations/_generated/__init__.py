"""Written by tools/operations from protocol/operations.toml and protocol/proto."""
