using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <summary>
/// The state machine of the pipelined transport's connection. It determines what happens when a stream opens, is lost or cannot be opened, and with which
/// errors calls fail while there is no stream. It does not open streams itself. The caller passes timestamps of the client's clock. It is not thread-safe: the
/// transport's lock guards it. Only the phase may be read without the lock.
/// </summary>
internal sealed class LinkState(Clock clock, RetryPolicy backOff)
{
    /// <summary>
    /// A stream that lasted for less than this time counts as a failed attempt. This prevents rapid reconnecting to a server that accepts connections and
    /// closes them immediately.
    /// </summary>
    public static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(1);

    private volatile LinkPhase _phase;
    private Failure _lastFailure;
    private int _shortLives;
    private long _openedAt;
    private long _failingSince;

    public LinkPhase Phase => _phase;

    /// <summary>Gets the number of failed attempts since the last stream was opened.</summary>
    public int Failures { get; private set; }

    /// <summary>Requests a stream. Returns true if the caller must open a stream, because no stream is open or being opened.</summary>
    public bool TryBegin()
    {
        if (_phase != LinkPhase.Idle)
        {
            return false;
        }

        _phase = LinkPhase.Connecting;
        return true;
    }

    /// <summary>Records that a stream is open. Returns false if the client has been closed. The caller must then not use the stream.</summary>
    /// <param name="now">The current timestamp.</param>
    /// <param name="failures">The number of attempts that failed before the stream was opened.</param>
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

    /// <summary>Records that the stream was lost or accepts no more calls. Returns the wait before the next stream is opened.</summary>
    public TimeSpan Lost(long now, double random)
    {
        _phase = _phase == LinkPhase.Open ? LinkPhase.Idle : _phase;
        _shortLives = clock.Between(_openedAt, now) < ShortLife ? _shortLives + 1 : 0;
        return _shortLives == 0 ? TimeSpan.Zero : backOff.BackOff(_shortLives, random);
    }

    /// <summary>
    /// Records that a stream could not be opened. If the server is unreachable, returns the wait before the next attempt. If the server responded, even with a
    /// refusal, returns null. The next attempt is then started by the next call.
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

    /// <summary>
    /// Records that the wait has ended and the next attempt begins. Returns true if the grace period has passed. In that case, calls wait only a limited time
    /// for the attempt, and the caller must call <see cref="TryIsLate"/> after that time.
    /// </summary>
    public bool TryAgain(long now)
    {
        _phase = _phase == LinkPhase.BackingOff ? LinkPhase.Connecting : _phase;
        return IsPastGrace(now);
    }

    /// <summary>
    /// Records that an attempt has taken too long. The attempt is identified by the number of failed attempts before it. Returns true if this attempt is still
    /// in progress. Calls then no longer wait for the attempt.
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

    /// <summary>Returns the failure if a call that needs a stream must fail immediately. Returns null if the call may wait for a stream.</summary>
    public Failure? RefusalOf(long now) => _phase switch
    {
        LinkPhase.Closed => new Failure(StatusCode.Cancelled, "The client was closed."),
        LinkPhase.BackingOff when IsPastGrace(now) => NotConnected(now),
        _ => null,
    };

    /// <summary>Returns the failure of a call for which there is no stream.</summary>
    public Failure NotConnected(long now) => Failure.NotConnected(
        $"No connection: {_lastFailure.Message ?? "the last stream was replaced"}",
        _lastFailure.Exception,
        Failures > 0 && IsPastGrace(now));

    /// <summary>Returns the failure for the calls that waited for the connection attempt that has just failed.</summary>
    public Failure LastConnectFailure(long now) => _phase == LinkPhase.Idle ? _lastFailure : NotConnected(now);

    /// <summary>Returns a short description of the state for errors.</summary>
    public string Describe() => Failures > 0 ? $"failed {Failures} times ({_lastFailure.Message})"
        : _phase is LinkPhase.Connecting or LinkPhase.BackingOff ? "connecting" : "not connected";

    private bool IsPastGrace(long now) => PermanentConnectionFault.Is(_lastFailure.Exception) || clock.Between(_failingSince, now) > RetryPolicy.Grace;
}
