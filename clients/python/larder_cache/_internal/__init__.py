"""The modules behind the public ones: anything here may change in any version."""
