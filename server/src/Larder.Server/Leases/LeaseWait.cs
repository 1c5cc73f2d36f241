using System.Buffers;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Store.Leases;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>
/// One GetOrLease: looks, takes the lease if nobody has it, and otherwise waits for the one who does. The answer goes straight from the store into the
/// response, as a Get's does: if its connection has no room for it, the call is run again later, and holds nothing meanwhile.
/// </summary>
internal sealed class LeaseWait(Cache cache, GetOrLeaseFields request, IBufferWriter<byte> response, RpcContext context)
{
    private const int ElsewhereArm = 4;

    private readonly ReadOnlyMemory<byte> _key = request.Key;

    /// <summary>Writes the answer.</summary>
    /// <returns>Null on success.</returns>
    /// <exception cref="OperationCanceledException">The call was cancelled, or its deadline is over.</exception>
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

            // Since the call arrived: a call that is run again has waited before.
            TimeSpan left = wait - context.Elapsed;
            if (left <= TimeSpan.Zero)
            {
                response.WriteEmptyArm(ElsewhereArm);
                return null;
            }

            await WaitAsync(lease, left, context.TimeProvider).ConfigureAwait(false);
        }
    }

    // False: somebody else makes the value, and nothing stale is there to be served meanwhile.
    private bool TryAnswer(Lease lease, bool isNew)
    {
        try
        {
            return TryWrite(lease, isNew);
        }
        catch when (isNew)
        {
            // There is no room for the answer: its caller never learns of the lease, and others must not wait for it.
            cache.GiveLeaseBack(_key.Span, lease.Token.Span);
            throw;
        }
    }

    private bool TryWrite(Lease lease, bool isNew)
    {
        if (isNew && Look(isFirst: false) == GetOutcome.Hit)
        {
            // It was stored between the look and the lease.
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

        // The second look is of the same call, and counts as nothing more: it counts only where it finds what the first did not.
        return isFirst || cache.Contains(_key.Span) ? cache.Get(_key.Span, ref hit) : GetOutcome.Miss;
    }

    private async ValueTask WaitAsync(Lease lease, TimeSpan left, TimeProvider time)
    {
        // One millisecond more: the store's clock is floored.
        TimeSpan untilItEnds = TimeSpan.FromMilliseconds(cache.LeftOf(lease) + 1);
        TimeSpan longest = left < untilItEnds ? left : untilItEnds;
        try
        {
            await lease.Ended.WaitAsync(longest, time, context.Cancelled).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The lease's time is over, or the wait's.
        }
    }
}
