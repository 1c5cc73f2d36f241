namespace Larder.Store;

/// <summary>Reclaims memory in the background, once per second. Each run does a limited amount of work, in steps. The lock is released between steps.</summary>
internal sealed unsafe partial class Shard
{
    // The maximum numbers of steps per run. Each step takes at most about 0.1 ms. With these numbers, half a million entries in 64 shards can expire per run,
    // and 8 MiB are compacted per run. A sweep through a shard of 64 MiB with values of 100 bytes takes 8 s.
    private const int ExpirySteps = 32;
    private const int SweepSteps = 256;
    private const int DismantleSteps = 1024;
    private const int WalkSteps = 128;
    private const int CopySteps = 2048;
    private const int ReclaimSteps = 64;
    private const int ReleaseSteps = 128;

    // The maximum number of sleeps of 1 ms per run. The run sleeps so that waiting writes can take the lock. Delays of the run have no effect on callers.
    private const int MaxSleeps = 64;

    private int _sleeps;

    /// <summary>Reclaims expired and flushed entries, maintains the low-water mark, compacts sparse segments, and releases unused memory.</summary>
    public void Maintain()
    {
        _sleeps = MaxSleeps;
        Step(BeginMaintenance);
        GiveBack(1, TakeRetiredTables);
        Repeat(ExpirySteps, () => ReclaimExpired(_parts.Clock.NowMs, StepEntries));
        Repeat(SweepSteps, () => Sweep(StepEntries));
        Repeat(DismantleSteps, () => Dismantle(StepEntries));
        Repeat(CopySteps, CopyOn);
        Repeat(WalkSteps, ContinueWalk);
        Repeat(ReclaimSteps, ReclaimMore);
        GiveBack(ReleaseSteps, _heap.TakeUnused);
        GiveBack(ReleaseSteps, TakeUnusedChunk);
    }

    /// <summary>
    /// Releases memory to the operating system. The release runs without the lock, because it can be slow. It runs within an epoch, so that the store's pages
    /// stay mapped during the release.
    /// </summary>
    private void GiveBack(int times, Func<List<PageBlock>, bool> take)
    {
        ReaderSlot here = _parts.Epochs.Current;
        List<PageBlock> taken = [];
        bool more = true;
        while (times-- > 0 && more)
        {
            here.Enter();
            try
            {
                more = Step(() => take(taken));
                taken.ForEach(memory => memory.Free(_parts.Pages));
            }
            finally
            {
                here.Exit();
            }

            taken.Clear();
            _sleeps = _waiting.YieldToWrites(_sleeps);
        }
    }

    private void Repeat(int times, Func<bool> step)
    {
        while (times-- > 0 && Step(step))
        {
            _sleeps = _waiting.YieldToWrites(_sleeps);
        }
    }

    private bool Step(Func<bool> step)
    {
        lock (_lock)
        {
            _work = 0;
            bool more = !_closed && step();
            _mostWork = Math.Max(_mostWork, _work);
            return more;
        }
    }

    private bool BeginMaintenance()
    {
        ShrinkIndex();
        _heap.AskAgain();
        return false;
    }

    private bool ReclaimMore()
    {
        int before = _heap.Retired;
        TakeBack();
        return _heap.Retired < before;
    }

    private bool CopyOn()
    {
        if (_next != null)
        {
            CopyGroups(GroupsPerWrite);
        }

        return _next != null;
    }

    private bool ContinueWalk()
    {
        bool low = SegmentsComing() < LowWater;
        return (low || _victim != 0 || HasExcessDeadBytes) && WalkVictim(StepBytes, StepEntries, evict: low && _passBytes == 0);
    }
}
