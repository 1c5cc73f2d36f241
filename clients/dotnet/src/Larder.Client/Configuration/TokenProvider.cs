namespace Larder.Client;

/// <summary>
/// Provides the token. A token is printable ASCII without spaces, and not empty. The client requests a token before its first call, and again when the server
/// rejects the token, but at most once per second (protocol/spec/auth.md). If the provider throws, the calls that wait for the token fail. The property
/// <see cref="CacheError.Exception"/> of their errors contains the provider's exception. Error messages do not contain the exception's text.
/// </summary>
public abstract class TokenProvider
{
    /// <summary>Returns the token. An implementation may block, because it does not run on the thread of a caller of the client.</summary>
    /// <param name="cancellationToken">Cancelled when the token is no longer needed: 30 s after this method is called, or when the client is closed.</param>
    public abstract ValueTask<string> GetTokenAsync(CancellationToken cancellationToken);

    /// <summary>Creates a provider from a synchronous function.</summary>
    public static TokenProvider From(Func<string> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new Given(_ => new ValueTask<string>(function()));
    }

    /// <summary>Creates a provider from an asynchronous function.</summary>
    public static TokenProvider From(Func<CancellationToken, ValueTask<string>> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new Given(function);
    }

    /// <summary>
    /// Creates a provider from a file that contains only the token. White space around the token is ignored. The file is read each time a token is needed.
    /// </summary>
    public static TokenProvider FromFile(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        // The file is read synchronously, because asynchronous file access needs a free thread of the thread pool.
        return new Given(_ => new ValueTask<string>(Read(path)));
    }

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path).Trim();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new TokenFileException($"the token file '{path}' cannot be read: {FileErrorText.Why(exception)}", exception);
        }
    }

    private sealed class Given(Func<CancellationToken, ValueTask<string>> function) : TokenProvider
    {
        public override ValueTask<string> GetTokenAsync(CancellationToken cancellationToken) => function(cancellationToken);
    }
}

/// <summary>Thrown if a token file cannot be used. Its message contains no secret.</summary>
internal sealed class TokenFileException(string message, Exception inner) : IOException(message, inner);
