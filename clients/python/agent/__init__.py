"""The Python client's agent (conformance/AGENT.md). It is not part of the distribution."""
