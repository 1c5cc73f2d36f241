namespace Larder.Client;

/// <summary>
/// Provides the token: printable ASCII without spaces, not empty. It is called before the first call, and again when the server rejects its token, at most once
/// a second (protocol/spec/auth.md). If it throws, its exception is the <see cref="CacheError.Exception"/> of the call's error; no message contains the
/// exception's text.
/// </summary>
public abstract class TokenProvider
{
    /// <summary>Returns the token. It may block: it does not run on the thread of a client's caller.</summary>
    /// <param name="cancellationToken">Cancelled when the token is no longer needed: after 30 s, or when the client is closed.</param>
    public abstract ValueTask<string> GetTokenAsync(CancellationToken cancellationToken);

    /// <summary>Creates a provider from a function that returns the token at once.</summary>
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

    /// <summary>Creates a provider from a file that contains only the token. White space around it is ignored. The file is read each time.</summary>
    public static TokenProvider FromFile(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        // Read synchronously, because asynchronous file access needs a free thread of the pool.
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

/// <summary>Thrown if a token file cannot be used. Its message is safe to show.</summary>
internal sealed class TokenFileException(string message, Exception inner) : IOException(message, inner);
