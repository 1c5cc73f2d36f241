namespace Larder.Conformance;

/// <summary>An agent ended, fell silent or refused to open: no verdict on a rule is possible.</summary>
internal sealed class AgentFailedException(string message) : Exception(message);
