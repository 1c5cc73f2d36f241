"""Internal modules. Any part of them may change in any version."""
