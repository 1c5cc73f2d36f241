using System.Buffers;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Store.Leases;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>
/// One GetOrLease call. It looks up the key and takes the lease if no caller has it. Otherwise it waits for the caller that has the lease. The value is written
/// directly from the store to the response, as for Get. If the connection has no buffer space for the value, the whole call runs again later and uses no memory
/// until then.
/// </summary>
internal sealed class LeaseWait(Cache cache, GetOrLeaseFields request, IBufferWriter<byte> response, RpcContext context)
{
    private readonly ReadOnlyMemory<byte> _key = request.Key;

    /// <summary>Runs the call and writes the response.</summary>
    /// <returns>Null on success.</returns>
    /// <exception cref="OperationCanceledException">The call was cancelled or its deadline has passed.</exception>
    public async ValueTask<CallError?> RunAsync()
    {
        TimeSpan wait = TimeSpan.FromMilliseconds(request.WaitMs);
        while (true)
        {
            GetOutcome found = Look(isFirst: true);
            if (found != GetOutcome.Miss)
            {
                return found == GetOutcome.WrongType ? CallError.WrongType : null;
            }

            if (cache.TakeLease(_key.Span, request.LeaseMs, out bool isNew) is not { } lease)
            {
                return LeaseErrors.TooMany;
            }

            if (TryAnswer(lease, isNew))
            {
                return null;
            }

            // The wait is measured from the arrival of the call, because a call that runs again has already waited.
            TimeSpan left = wait - context.Elapsed;
            if (left <= TimeSpan.Zero)
            {
                LeaseAnswer.WriteElsewhere(response);
                return null;
            }

            await WaitAsync(lease, left, context.TimeProvider).ConfigureAwait(false);
        }
    }

    // Returns false if another caller is computing the value and there is no stale value to return.
    private bool TryAnswer(Lease lease, bool isNew)
    {
        try
        {
            return TryWrite(lease, isNew);
        }
        catch when (isNew)
        {
            // There is no space for the response, so the caller does not receive the lease. The lease is released, so that other callers do not wait for it.
            cache.GiveLeaseBack(_key.Span, lease.Token.Span);
            throw;
        }
    }

    private bool TryWrite(Lease lease, bool isNew)
    {
        if (isNew && Look(isFirst: false) == GetOutcome.Hit)
        {
            // Another caller stored the value after the lookup and before the lease was taken.
            cache.GiveLeaseBack(_key.Span, lease.Token.Span);
            return true;
        }

        ReadOnlyMemory<byte> token = isNew ? lease.Token : default;
        LeaseAnswer.Stale stale = new(response, token);
        if (cache.TryGetStale(_key.Span, ref stale))
        {
            return true;
        }

        if (isNew)
        {
            LeaseAnswer.WriteLease(response, token.Span);
        }

        return isNew;
    }

    private GetOutcome Look(bool isFirst)
    {
        LeaseAnswer.Hit hit = new(response);

        // The second lookup belongs to the same call. The statistics count it only if it finds the value.
        return isFirst || cache.Contains(_key.Span) ? cache.Get(_key.Span, ref hit) : GetOutcome.Miss;
    }

    private async ValueTask WaitAsync(Lease lease, TimeSpan left, TimeProvider time)
    {
        // Adds one millisecond, because the store's clock is rounded down.
        TimeSpan untilItEnds = TimeSpan.FromMilliseconds(cache.LeftOf(lease) + 1);
        TimeSpan longest = left < untilItEnds ? left : untilItEnds;
        try
        {
            await lease.Ended.WaitAsync(longest, time, context.Cancelled).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The lease or the wait has expired.
        }
    }
}
