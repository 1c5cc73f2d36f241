"""Internal modules: anything here may change in any version."""
