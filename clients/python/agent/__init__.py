"""The Python client's agent: conformance/AGENT.md. Not part of the distribution."""
