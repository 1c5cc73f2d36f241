using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>The steps of a call that changes much: between two of them others may have the lock, and the accounts are right.</summary>
internal sealed unsafe partial class Shard
{
    // What a call may do in one hold of the lock: so many bytes, and an element counts as some hundred (0.1 to 0.3 µs). Together about 0.05 ms.
    private const int BytesPerStep = 32 << 10;
    private const int BytesPerElement = 128;

    /// <summary>Says, between two elements, that so many bytes were changed; lets others have the lock where that was enough for one hold of it.</summary>
    /// <returns>Whether to go on: false, where nobody will ever see what the call changes.</returns>
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
        // What the call has changed cannot be taken back, so it goes on even if nobody waits for it any more.
        _ = CallPace.Current?.Step();
        _ = _waiting.LetIn(sleeps: 0);
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

    // Of a call that has set aside more than it could take in one step.
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

    // The accounts of a cache that is flushed may be closed already; then the step has changed nothing (Pause).
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
