namespace Larder.Wire;

/// <summary>The token of a call whose handler asked for it: the caller's going away and the deadline in one.</summary>
internal sealed class CallCancellation : IDisposable
{
    private readonly CancellationTokenSource? _deadline;
    private readonly CancellationTokenSource? _linked;

    public CallCancellation(TimeSpan? remaining, TimeProvider time, CancellationToken aborted)
    {
        if (remaining is not { } left || left > LongestDelay)
        {
            Token = aborted;
            return;
        }

        _deadline = new CancellationTokenSource(left > TimeSpan.Zero ? left : TimeSpan.Zero, time);
        _linked = CancellationTokenSource.CreateLinkedTokenSource(aborted, _deadline.Token);
        Token = _linked.Token;
    }

    public CancellationToken Token { get; }

    /// <summary>True once the deadline's timer has fired, which it may do a little before the clock says so.</summary>
    public bool HasExpired => _deadline is { IsCancellationRequested: true };

    // A timer counts milliseconds in 32 bits: about 49 days. A deadline beyond it is none.
    private static TimeSpan LongestDelay => TimeSpan.FromDays(49);

    public void Dispose()
    {
        _linked?.Dispose();
        _deadline?.Dispose();
    }
}
