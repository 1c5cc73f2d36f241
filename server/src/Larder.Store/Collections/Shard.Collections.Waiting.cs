using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Lets a call wait until another call no longer uses the same collection.</summary>
internal sealed unsafe partial class Shard
{
    // Waits for the latch for a limited time. Returns null if the caller should then check the latch again. Otherwise, returns the final outcome of the call.
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

    // Cleans up after a call that has stopped waiting for the latch. A waiting write sets a flag that blocks new readers, so this flag is cleared. Other
    // waiting writes set the flag again when they next check the latch.
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
