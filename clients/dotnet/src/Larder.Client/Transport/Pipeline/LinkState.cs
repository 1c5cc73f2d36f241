using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <summary>
/// The connection of the pipelined transport as states and moments: what follows an opened, a lost or a failed stream, and what calls are told meanwhile. It
/// opens nothing and asks no clock: moments are told, as timestamps of the client's clock. Not thread-safe: the transport's lock guards it; its phase is read
/// without.
/// </summary>
internal sealed class LinkState(Clock clock, RetryPolicy backOff)
{
    // A stream that lived less than this is counted as a failed attempt: a server that accepts and drops is not hammered.
    private static readonly TimeSpan s_shortLife = TimeSpan.FromSeconds(1);

    private volatile LinkPhase _phase;
    private Failure _lastFailure;
    private int _shortLives;
    private long _openedAt;
    private long _failingSince;

    public LinkPhase Phase => _phase;

    /// <summary>Tries that failed since the last stream was opened.</summary>
    public int Failures { get; private set; }

    /// <summary>A stream is wanted. True where one is to be opened now: none is there, or on its way.</summary>
    public bool TryBegin()
    {
        if (_phase != LinkPhase.Idle)
        {
            return false;
        }

        _phase = LinkPhase.Connecting;
        return true;
    }

    /// <summary>A stream is open. False where the client was closed meanwhile: it is nobody's.</summary>
    /// <param name="now">The moment.</param>
    /// <param name="failures">Tries that had failed before.</param>
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

    /// <summary>The stream takes no more calls, or was lost. Returns how long to wait before the next is opened.</summary>
    public TimeSpan Lost(long now, double random)
    {
        _phase = _phase == LinkPhase.Open ? LinkPhase.Idle : _phase;
        _shortLives = clock.Between(_openedAt, now) < s_shortLife ? _shortLives + 1 : 0;
        return _shortLives == 0 ? TimeSpan.Zero : backOff.BackOff(_shortLives, random);
    }

    /// <summary>
    /// A stream could not be opened. Where the server cannot be reached it is tried again, after the wait that is returned; one that answered, if only to
    /// refuse, is asked again by the next call: null.
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

    /// <summary>The wait is over, and the next try begins. True where calls wait for it only so long: see <see cref="TryIsLate"/>.</summary>
    public bool TryAgain(long now)
    {
        _phase = _phase == LinkPhase.BackingOff ? LinkPhase.Connecting : _phase;
        return IsPastGrace(now);
    }

    /// <summary>The try that followed so many failures takes long: true where it is still under way, and calls wait for it no more.</summary>
    public bool TryIsLate(int failures)
    {
        if (_phase != LinkPhase.Connecting || Failures != failures)
        {
            return false;
        }

        _phase = LinkPhase.BackingOff;
        return true;
    }

    /// <summary>The server does not speak the pipeline.</summary>
    public void FallBack() => _phase = _phase == LinkPhase.Closed ? _phase : LinkPhase.Unary;

    /// <summary>The client was closed.</summary>
    public void Close() => _phase = LinkPhase.Closed;

    /// <summary>Why a call that wants a stream fails at once; null: it waits for one.</summary>
    public Failure? RefusalOf(long now) => _phase switch
    {
        LinkPhase.Closed => new Failure(StatusCode.Cancelled, "The client was closed."),
        LinkPhase.BackingOff when IsPastGrace(now) => NotConnected(now),
        _ => null,
    };

    /// <summary>What a call is told that finds no stream.</summary>
    public Failure NotConnected(long now) => Failure.NotConnected(
        $"No connection: {_lastFailure.Message ?? "the last stream was replaced"}",
        _lastFailure.Exception,
        Failures > 0 && IsPastGrace(now));

    /// <summary>What calls are told that waited for the try that has just failed.</summary>
    public Failure OfLastTry(long now) => _phase == LinkPhase.Idle ? _lastFailure : NotConnected(now);

    /// <summary>In one or two words.</summary>
    public string Describe() => Failures > 0 ? $"failed {Failures} times ({_lastFailure.Message})"
        : _phase is LinkPhase.Connecting or LinkPhase.BackingOff ? "connecting" : "not connected";

    private bool IsPastGrace(long now) => LastingFault.Is(_lastFailure.Exception) || clock.Between(_failingSince, now) > RetryPolicy.Grace;
}
