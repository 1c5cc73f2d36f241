using System.Diagnostics.CodeAnalysis;
using Larder.Client.Calls;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <summary>The token that a provider gave, and when to ask for another. Whoever waits shares one question (AUTH-31).</summary>
internal sealed class TokenSource(TokenProvider provider, Clock clock) : IDisposable
{
    // AUTH-31: a server that goes on refusing has the provider asked no more often.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    // AUTH-32: an answer that takes longer is given up, so that the next call can ask again. Longer than any call's deadline by default (5 s), as a token
    // may come from a slow service.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // AUTH-33. Source: a server's own limit on headers is 64 KB, and a token is one of several.
    private const int MostCharacters = 16_384;

    private static readonly ShownToken s_none = new(0, "");

    private readonly Lock _lock = new();
    private volatile ShownToken _current = s_none;
    private Asking? _asking;
    private NoToken? _missing;
    private long _notBefore;
    private bool _isClosed;

    /// <summary>The token to show; number 0 and empty where none came yet.</summary>
    public ShownToken Current => _current;

    /// <summary>
    /// Waits for another token than number <paramref name="shown"/>, asking for it where that is not too soon. Null once there is one; otherwise why there
    /// is none. Never fails.
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

    /// <summary>Asks no more; what still comes is thrown away.</summary>
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

    /// <summary>Why what a provider gave is no token; null: it is one.</summary>
    public static NoToken? WhyNot(string? token) =>
        token is null ? new NoToken("the token provider gave null", null)
        : token.Length == 0 ? new NoToken("the token provider gave an empty token", null)
        : token.Length > MostCharacters ? new NoToken($"the token provider gave {token.Length} characters; a token has at most {MostCharacters}", null)
        : !token.All(static c => c is > ' ' and <= '~')
            ? new NoToken("the token provider gave characters that are not printable ASCII (a line break, say)", null)
            : null;

    private async Task AskAsync(Asking asking)
    {
        using CancellationTokenSource patience = new(Patience, clock.Provider);
        using CancellationTokenRegistration late = patience.Token.UnsafeRegister(
            _ =>
            {
                End(asking, null, new NoToken($"the token provider did not answer in {Patience.TotalSeconds} s", null));
                asking.GiveUp();
            },
            null);
        // Off the caller's thread: the provider may block.
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
#pragma warning disable CA1031 // The provider is the application's: whatever it throws ends the calls that wait, and is told to them.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            // Its text may have the token.
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

            // The first token may be out of date when it comes: it does not count.
            _notBefore = isFirst && missing is null ? 0 : clock.Now + clock.Ticks(Pause);
        }

        asking.End();
    }

    // One question; those who wait for it go on on a queue.
    [SuppressMessage("Reliability", "CA1001", Justification = "The token source has no timer and no wait handle to release.")]
    private sealed class Asking
    {
        private readonly TaskCompletionSource _ended = new();
        private readonly CancellationTokenSource _givenUp = new();

        public Task Ended => _ended.Task;

        public CancellationToken Token => _givenUp.Token;

        public void End() => _ended.TrySetResult();

        // The registrations are the provider's: what they throw is nobody's here.
        public void GiveUp() => _ = _givenUp.CancelAsync().ContinueWith(static task => _ = task.Exception, TaskScheduler.Default);
    }
}

/// <summary>A provider's token. Each other one has the next number; 0: there is none yet. It prints its number alone.</summary>
internal sealed class ShownToken(int number, string text)
{
    public int Number => number;

    public string Text => text;

    public override string ToString() => $"token {Number}";
}

/// <summary>Why there is no other token, in words without it.</summary>
internal sealed class NoToken(string message, Exception? exception)
{
    /// <summary>The provider gave again the one that was refused.</summary>
    public static NoToken Same { get; } = new("", null);

    public string Message => message;

    public Exception? Exception => exception;
}
