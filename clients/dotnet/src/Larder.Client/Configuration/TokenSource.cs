using System.Diagnostics.CodeAnalysis;
using Larder.Client.Calls;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <summary>Holds the provider's token and decides when to request another. Concurrent waiters share one request (AUTH-31).</summary>
internal sealed class TokenSource(TokenProvider provider, Clock clock) : IDisposable
{
    // AUTH-31: the minimum time between requests, also if the server keeps rejecting the token.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    // AUTH-32: a request that takes longer is abandoned, so that the next call can request a token again. It is longer than a call's default deadline (5 s),
    // because a token may come from a slow service.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // AUTH-33. A server limits all headers to 64 KB, and the token is one of several.
    private const int MaxCharacters = 16_384;

    private static readonly ShownToken s_none = new(0, "");

    private readonly Lock _lock = new();
    private volatile ShownToken _current = s_none;
    private Asking? _asking;
    private NoToken? _missing;
    private long _notBefore;
    private bool _isClosed;

    /// <summary>Gets the current token. Before the first one it is empty and has number 0.</summary>
    public ShownToken Current => _current;

    /// <summary>
    /// Waits for a token other than number <paramref name="shown"/>, and requests one unless that is too soon. Returns null once there is one, otherwise the
    /// reason. Never throws.
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

    /// <summary>Stops requesting tokens. A token that still arrives is discarded.</summary>
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

    /// <summary>Returns why a token from a provider is invalid, or null.</summary>
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
        // Runs off the caller's thread, because the provider may block.
        await PoolQueue.Callers.Yield();
        (string? token, NoToken? missing) = await AnswerAsync(asking.Token).ConfigureAwait(false);
        End(asking, token, missing);
    }

    private async Task<(string? Token, NoToken? Missing)> AnswerAsync(CancellationToken cancellationToken)
    {
        try
        {
            string? token = await provider.GetTokenAsync(cancellationToken).ConfigureAwait(false);
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
            // The exception's text may contain the token.
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

            // The first token may be out of date when it arrives, so it does not delay the next request.
            _notBefore = isFirst && missing is null ? 0 : clock.Now + clock.Ticks(Pause);
        }

        asking.End();
    }

    // One request to the provider. Its waiters continue on a queue.
    [SuppressMessage("Reliability", "CA1001", Justification = "The token source has no timer and no wait handle to release.")]
    private sealed class Asking
    {
        private readonly TaskCompletionSource _ended = new();
        private readonly CancellationTokenSource _givenUp = new();

        public Task Ended => _ended.Task;

        public CancellationToken Token => _givenUp.Token;

        public void End() => _ended.TrySetResult();

        // The registered callbacks belong to the provider. Their exceptions are ignored.
        public void GiveUp() => _ = _givenUp.CancelAsync().ContinueWith(static task => _ = task.Exception, TaskScheduler.Default);
    }
}

/// <summary>A provider's token. Each different token has the next number; 0 means that there is none yet. ToString returns only the number.</summary>
internal sealed class ShownToken(int number, string text)
{
    public int Number => number;

    public string Text => text;

    public override string ToString() => $"token {Number}";
}

/// <summary>Why there is no other token, without the token itself.</summary>
internal sealed class NoToken(string message, Exception? exception)
{
    /// <summary>The provider returned the rejected token again.</summary>
    public static NoToken Same { get; } = new("", null);

    public string Message => message;

    public Exception? Exception => exception;
}
