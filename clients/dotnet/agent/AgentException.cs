namespace Larder.Agent;

/// <summary>A request that the agent itself cannot do: code <c>AgentError</c>, or <c>Unsupported</c> where its client has no such thing.</summary>
internal sealed class AgentException(string message, string code = "AgentError") : Exception(message)
{
    /// <summary>The code of the answer.</summary>
    public string Code { get; } = code;

    /// <summary>The client has no such operation or setting.</summary>
    public static AgentException Unsupported(string what) => new($"this client has no {what}", "Unsupported");
}
