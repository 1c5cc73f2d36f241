namespace Larder.Server;

/// <summary>Thrown if a server cannot start with its options. The message names the option and the remedy.</summary>
public sealed class ServerOptionsException : Exception
{
    /// <summary>Initializes the exception without a message.</summary>
    public ServerOptionsException()
    {
    }

    /// <summary>Initializes the exception with a message that names the option and the remedy.</summary>
    public ServerOptionsException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes the exception with a message and the failure that made the option unusable.</summary>
    public ServerOptionsException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
