using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Splits a long write into steps. Between two steps, other threads may take the lock, so the accounts are consistent at the end of each step.
/// </summary>
internal sealed unsafe partial class Shard
{
    // The amount of work per step, in bytes. An element counts as 128 bytes in addition to its own bytes, because it takes 0.1 to 0.3 µs. One step takes about
    // 0.05 ms.
    private const int BytesPerStep = 32 << 10;
    private const int BytesPerElement = 128;

    /// <summary>Reports that an element of this size was changed. Releases the lock for other threads if the step has done enough work.</summary>
    /// <returns>
    /// False if the call must stop, because the collection or its cache was removed, or the store was closed. No caller can see further changes.
    /// </returns>
    public bool Continue(ref CollectionCall call, long bytes)
    {
        _work++;
        call.Left -= (int)Math.Min(bytes + BytesPerElement, BytesPerStep);
        return call.Left > 0 || Pause(ref call);
    }

    private bool Pause(ref CollectionCall call)
    {
        EndStep(ref call);
        call.Root->Latch = -1;
        _promised += call.Promised;
        _lock.Exit();
        // The call cannot undo its changes, so it continues even if it was cancelled.
        _ = CallPace.Current?.Step();
        _ = _waiting.YieldToWrites(sleeps: 0);
        _lock.Enter();
        _promised -= call.Promised;
        call.IsLost = _closed;
        if (call.IsLost)
        {
            return false;
        }

        BeginStep(ref call);
        return !call.Root->IsGone && !call.Space.Dead;
    }

    // Pools chunks that were opened but not used. This is needed only for a call that has reserved more memory than one step can use.
    private void PoolOpened(in CollectionCall call)
    {
        if (call.Promised.Bytes > BytesPerStep)
        {
            _blocks.PoolOpened();
        }
    }

    private void BeginStep(ref CollectionCall call)
    {
        call.Left = BytesPerStep;
        call.ChargedBytes = call.Root->ChargedBytes;
        call.PayloadBytes = call.Root->PayloadBytes;
    }

    // Adds the changes of a step to the accounts. The accounts of a flushed cache may already be closed. In that case, the step has changed nothing (see
    // Pause).
    private void EndStep(ref CollectionCall call)
    {
        CollectionRoot* root = call.Root;
        _mostWork = Math.Max(_mostWork, _work);
        _work = 0;
        if (!root->IsGone)
        {
            long charged = root->ChargedBytes - call.ChargedBytes;
            ref SpaceUsage usage = ref UsageOf(call.Space.Id);
            usage.Bytes += root->PayloadBytes - call.PayloadBytes;
            usage.ChargedBytes += charged;
            _linkedBytes += charged;
            call.Space.Charge(charged);
        }

        call.ChargedBytes = root->ChargedBytes;
        call.PayloadBytes = root->PayloadBytes;
    }
}
