using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Contains the methods with which a call waits for another call that uses the same collection.</summary>
internal sealed unsafe partial class Shard
{
    // Waits for the latch for a limited time. Returns null if the caller should check the latch again; otherwise the outcome of the call.
    private CollectionOutcome? WaitForLatch(ref CollectionCall call, int milliseconds)
    {
        if (CallPace.Current is not { } pace)
        {
            Thread.Sleep(milliseconds);
            return null;
        }

        if (ReferenceEquals(pace, CallPace.Short))
        {
            return CollectionOutcome.Deferred;
        }

        if (pace.Wait(milliseconds))
        {
            return null;
        }

        StopAwaiting(ref call);
        return CollectionOutcome.Cancelled;
    }

    // Ends the waiting of a call. A waiting write blocks new readers, so the flag is cleared. Other waiting writes set it again when they next check the latch.
    private void StopAwaiting(ref CollectionCall call)
    {
        if (!call.Writes)
        {
            return;
        }

        lock (_lock)
        {
            if (!_closed && call.Cache.LiveSpace is { } space)
            {
                ulong* slot = LockLive(call.Hash, space, call.Key, _parts.Clock.NowMs, out EntryHeader* entry);
                if (slot != null && entry->Type != ItemType.Scalar)
                {
                    RootOf(entry)->IsAwaited = false;
                }

                EntryHeader.Unlock(entry);
            }
        }
    }
}
