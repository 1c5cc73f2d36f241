namespace Larder.Server;

/// <summary>The exception that is thrown if a server cannot start with its options. The message names the option and describes how to correct it.</summary>
public sealed class ServerOptionsException : Exception
{
    /// <summary>Initializes the exception without a message.</summary>
    public ServerOptionsException()
    {
    }

    /// <summary>Initializes the exception with a message that names the option and describes how to correct it.</summary>
    public ServerOptionsException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes the exception with a message and the exception that caused it.</summary>
    public ServerOptionsException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
