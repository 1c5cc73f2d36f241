using System.Diagnostics.CodeAnalysis;
using Larder.Client.Calls;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <summary>Stores the provider's current token and decides when to request a new token. Concurrent waiters share one request (AUTH-31).</summary>
internal sealed class TokenSource(TokenProvider provider, Clock clock) : IDisposable
{
    // AUTH-31: the minimum time between two requests, even if the server keeps rejecting the token.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    // AUTH-32: the maximum duration of a request. A longer request is abandoned, so that the next call can request a token again. The limit is longer than the
    // default timeout of a call (5 s), because the token may come from a slow service.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // AUTH-33. A server limits the total size of all headers to 64 KB, and the token is one of several headers.
    private const int MaxCharacters = 16_384;

    private static readonly ShownToken s_none = new(0, "");

    private readonly Lock _lock = new();
    private volatile ShownToken _current = s_none;
    private Asking? _asking;
    private NoToken? _missing;
    private long _notBefore;
    private bool _isClosed;

    /// <summary>Gets the current token. Before the first token arrives, this is an empty token with version 0.</summary>
    public ShownToken Current => _current;

    /// <summary>
    /// Waits for a token with a higher version than <paramref name="shown"/>. Requests a token if no request is in progress and enough time has passed since
    /// the last request. Returns null if there is a newer token, otherwise the reason why no newer token is available. Never throws.
    /// </summary>
    public async ValueTask<NoToken?> NewerThanAsync(int shown)
    {
        Asking? asking;
        Asking? begun = null;
        lock (_lock)
        {
            if (_current.Number > shown)
            {
                return null;
            }

            if (_isClosed)
            {
                return new NoToken("the client is closed", null);
            }

            if (_asking is null && clock.Now >= _notBefore)
            {
                _asking = begun = new Asking();
            }

            asking = _asking;
        }

        if (begun is not null)
        {
            _ = AskAsync(begun);
        }

        if (asking is not null)
        {
            await asking.Ended.On(PoolQueue.Work);
        }

        lock (_lock)
        {
            return _current.Number > shown ? null : _missing ?? NoToken.Same;
        }
    }

    /// <summary>Stops requesting tokens. If a token arrives later, it is discarded.</summary>
    public void Dispose()
    {
        Asking? asking;
        lock (_lock)
        {
            _isClosed = true;
            asking = _asking;
        }

        if (asking is not null)
        {
            End(asking, null, new NoToken("the client was closed", null));
            asking.GiveUp();
        }
    }

    /// <summary>Returns the reason why a token from a provider is invalid, or null if it is valid.</summary>
    public static NoToken? WhyNot(string? token) =>
        token is null ? new NoToken("the token provider returned null", null)
        : token.Length == 0 ? new NoToken("the token provider returned an empty token", null)
        : token.Length > MaxCharacters ? new NoToken(
            $"the token provider returned {token.Length} characters; a token must have at most {MaxCharacters}", null)
        : !token.All(static c => c is > ' ' and <= '~')
            ? new NoToken("the token provider returned characters that are not printable ASCII (for example a line break)", null)
            : null;

    private async Task AskAsync(Asking asking)
    {
        using CancellationTokenSource patience = new(Patience, clock.Provider);
        using CancellationTokenRegistration late = patience.Token.UnsafeRegister(
            _ =>
            {
                End(asking, null, new NoToken($"the token provider did not return within {Patience.TotalSeconds} s", null));
                asking.GiveUp();
            },
            null);
        // Continue on another thread, because the provider may block.
        await PoolQueue.Callers.Yield();
        (string? token, NoToken? missing) = await AnswerAsync(asking.Token).On(PoolQueue.Callers);
        End(asking, token, missing);
    }

    private async Task<(string? Token, NoToken? Missing)> AnswerAsync(CancellationToken cancellationToken)
    {
        try
        {
            string? token = await provider.GetTokenAsync(cancellationToken).On(PoolQueue.Callers);
            return (token, WhyNot(token));
        }
        catch (TokenFileException unreadable)
        {
            return (null, new NoToken(unreadable.Message, unreadable));
        }
#pragma warning disable CA1031 // The provider belongs to the application: any exception is the error of the waiting calls.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            // The message must not contain the exception's text, because that text may contain the token.
            return (null, new NoToken($"the token provider threw {thrown.GetType().Name}", thrown));
        }
    }

    private void End(Asking asking, string? token, NoToken? missing)
    {
        lock (_lock)
        {
            if (_asking != asking)
            {
                return;
            }

            _asking = null;
            _missing = missing;
            bool isFirst = _current.Number == 0;
            if (missing is null && token != _current.Text)
            {
                _current = new ShownToken(_current.Number + 1, token!);
            }

            // If this was the first token, the next request need not wait, because the first token may already be outdated when it arrives.
            _notBefore = isFirst && missing is null ? 0 : clock.Now + clock.Ticks(Pause);
        }

        asking.End();
    }

    // One request to the provider.
    [SuppressMessage("Reliability", "CA1001", Justification = "The token source has no timer and no wait handle to release.")]
    private sealed class Asking
    {
        private readonly TaskCompletionSource _ended = new();
        private readonly CancellationTokenSource _givenUp = new();

        public Task Ended => _ended.Task;

        public CancellationToken Token => _givenUp.Token;

        public void End() => _ended.TrySetResult();

        // Cancels the provider's token. The registered callbacks belong to the provider, so their exceptions are ignored.
        public void GiveUp() => _ = _givenUp.CancelAsync().ContinueWith(static task => _ = task.Exception, TaskScheduler.Default);
    }
}

/// <summary>
/// A token from a provider. Tokens are numbered from 1, and each token that differs from the previous token has the next number. 0 means that there is no token
/// yet. ToString returns only the number, because the token is a secret.
/// </summary>
internal sealed class ShownToken(int number, string text)
{
    public int Number => number;

    public string Text => text;

    public override string ToString() => $"token {Number}";
}

/// <summary>The reason why there is no newer token. It does not contain a token.</summary>
internal sealed class NoToken(string message, Exception? exception)
{
    /// <summary>Gets the instance to use if the provider returned the rejected token again. Its message is empty.</summary>
    public static NoToken Same { get; } = new("", null);

    public string Message => message;

    public Exception? Exception => exception;
}
