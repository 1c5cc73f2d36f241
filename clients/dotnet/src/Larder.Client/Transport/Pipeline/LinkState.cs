using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <summary>
/// The state machine of the pipelined transport's connection: what follows when a stream opens, is lost or fails, and the errors of calls meanwhile. It opens
/// nothing; the caller passes timestamps of the client's clock. Not thread-safe: the transport's lock guards it, but its phase may be read without.
/// </summary>
internal sealed class LinkState(Clock clock, RetryPolicy backOff)
{
    // A stream that lived shorter than this counts as a failed attempt, so that a server that accepts and closes connections is not flooded.
    private static readonly TimeSpan s_shortLife = TimeSpan.FromSeconds(1);

    private volatile LinkPhase _phase;
    private Failure _lastFailure;
    private int _shortLives;
    private long _openedAt;
    private long _failingSince;

    public LinkPhase Phase => _phase;

    /// <summary>Gets the number of failed attempts since the last stream was opened.</summary>
    public int Failures { get; private set; }

    /// <summary>Requests a stream. Returns true if the caller must open one, because there is none and none is being opened.</summary>
    public bool TryBegin()
    {
        if (_phase != LinkPhase.Idle)
        {
            return false;
        }

        _phase = LinkPhase.Connecting;
        return true;
    }

    /// <summary>Records that a stream is open. Returns false if the client has been closed meanwhile; the stream is then unused.</summary>
    /// <param name="now">The current timestamp.</param>
    /// <param name="failures">The number of attempts that had failed before.</param>
    public bool TryOpen(long now, out int failures)
    {
        failures = Failures;
        if (_phase == LinkPhase.Closed)
        {
            return false;
        }

        _phase = LinkPhase.Open;
        Failures = 0;
        _openedAt = now;
        return true;
    }

    /// <summary>Records that the stream was lost or accepts no more calls. Returns the wait before the next one is opened.</summary>
    public TimeSpan Lost(long now, double random)
    {
        _phase = _phase == LinkPhase.Open ? LinkPhase.Idle : _phase;
        _shortLives = clock.Between(_openedAt, now) < s_shortLife ? _shortLives + 1 : 0;
        return _shortLives == 0 ? TimeSpan.Zero : backOff.BackOff(_shortLives, random);
    }

    /// <summary>
    /// Records that a stream could not be opened. If the server is unreachable, returns the wait before the next attempt. If it responded, even with a refusal,
    /// returns null: the next call makes the next attempt.
    /// </summary>
    public TimeSpan? Failed(in Failure failure, long now, double random)
    {
        _failingSince = Failures == 0 ? now : _failingSince;
        Failures++;
        _lastFailure = failure;
        bool isUnreached = failure.NotProcessed || failure.Code == StatusCode.Unavailable;
        if (_phase != LinkPhase.Closed)
        {
            _phase = isUnreached ? LinkPhase.BackingOff : LinkPhase.Idle;
        }

        return isUnreached ? backOff.BackOff(Failures, random) : null;
    }

    /// <summary>Starts the next attempt after the wait. Returns true if calls wait for it only a limited time; see <see cref="TryIsLate"/>.</summary>
    public bool TryAgain(long now)
    {
        _phase = _phase == LinkPhase.BackingOff ? LinkPhase.Connecting : _phase;
        return IsPastGrace(now);
    }

    /// <summary>
    /// Records that the attempt after <paramref name="failures"/> failures takes long. Returns true if it is still in progress; calls then no longer wait for
    /// it.
    /// </summary>
    public bool TryIsLate(int failures)
    {
        if (_phase != LinkPhase.Connecting || Failures != failures)
        {
            return false;
        }

        _phase = LinkPhase.BackingOff;
        return true;
    }

    /// <summary>Records that the server does not support the pipeline.</summary>
    public void FallBack() => _phase = _phase == LinkPhase.Closed ? _phase : LinkPhase.Unary;

    /// <summary>Records that the client was closed.</summary>
    public void Close() => _phase = LinkPhase.Closed;

    /// <summary>Returns why a call that needs a stream fails at once, or null if it waits for one.</summary>
    public Failure? RefusalOf(long now) => _phase switch
    {
        LinkPhase.Closed => new Failure(StatusCode.Cancelled, "The client was closed."),
        LinkPhase.BackingOff when IsPastGrace(now) => NotConnected(now),
        _ => null,
    };

    /// <summary>Returns the failure of a call that finds no stream.</summary>
    public Failure NotConnected(long now) => Failure.NotConnected(
        $"No connection: {_lastFailure.Message ?? "the last stream was replaced"}",
        _lastFailure.Exception,
        Failures > 0 && IsPastGrace(now));

    /// <summary>Returns the failure of calls that waited for the attempt that has just failed.</summary>
    public Failure LastConnectFailure(long now) => _phase == LinkPhase.Idle ? _lastFailure : NotConnected(now);

    /// <summary>Returns a short description.</summary>
    public string Describe() => Failures > 0 ? $"failed {Failures} times ({_lastFailure.Message})"
        : _phase is LinkPhase.Connecting or LinkPhase.BackingOff ? "connecting" : "not connected";

    private bool IsPastGrace(long now) => PermanentConnectionFault.Is(_lastFailure.Exception) || clock.Between(_failingSince, now) > RetryPolicy.Grace;
}
