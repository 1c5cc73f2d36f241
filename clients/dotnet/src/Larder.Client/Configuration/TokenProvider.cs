namespace Larder.Client;

/// <summary>
/// Gives the token, now or later: printable ASCII without spaces, not empty. It is asked before the first call, and again when the server refuses what it
/// gave, at most once a second (protocol/spec/auth.md). What it throws is the <see cref="CacheError.Exception"/> of the call's error, and in no text.
/// </summary>
public abstract class TokenProvider
{
    /// <summary>The token to show. May block: no caller of a client runs it.</summary>
    /// <param name="cancellationToken">Set when nobody waits for the answer any more: after 30 s, or once the client is closed.</param>
    public abstract ValueTask<string> GetTokenAsync(CancellationToken cancellationToken);

    /// <summary>A function that has the token at hand.</summary>
    public static TokenProvider From(Func<string> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new Given(_ => new ValueTask<string>(function()));
    }

    /// <summary>A function that has to wait for it.</summary>
    public static TokenProvider From(Func<CancellationToken, ValueTask<string>> function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new Given(function);
    }

    /// <summary>A file that holds the token alone; white space around it is left out. It is read anew each time.</summary>
    public static TokenProvider FromFile(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        // Read synchronously: asynchronous file access needs a free thread of the pool.
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
            throw new TokenFileException($"the token's file '{path}' cannot be read: {UnreadableFile.Why(exception)}", exception);
        }
    }

    private sealed class Given(Func<CancellationToken, ValueTask<string>> function) : TokenProvider
    {
        public override ValueTask<string> GetTokenAsync(CancellationToken cancellationToken) => function(cancellationToken);
    }
}

/// <summary>Why a token's file gave none, in words that may be told.</summary>
internal sealed class TokenFileException(string message, Exception inner) : IOException(message, inner);
