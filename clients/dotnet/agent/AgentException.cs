namespace Larder.Agent;

/// <summary>
/// Thrown for a request that the agent cannot execute. The code is <c>AgentError</c>, or <c>Unsupported</c> if the client lacks the operation or setting.
/// </summary>
internal sealed class AgentException(string message, string code = "AgentError") : Exception(message)
{
    /// <summary>Gets the error code of the response line.</summary>
    public string Code { get; } = code;

    /// <summary>Creates the error for an operation or setting that the client does not have.</summary>
    public static AgentException Unsupported(string what) => new($"this client does not support {what}", "Unsupported");
}
