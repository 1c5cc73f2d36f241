namespace Larder.Server;

/// <summary>An option that a server cannot start with; the message names it and its remedy.</summary>
public sealed class ServerOptionsException : Exception
{
    /// <summary>An exception without a message.</summary>
    public ServerOptionsException()
    {
    }

    /// <summary>An exception whose message names the option and its remedy.</summary>
    public ServerOptionsException(string message)
        : base(message)
    {
    }

    /// <summary>An exception with the failure that made the option unusable.</summary>
    public ServerOptionsException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
