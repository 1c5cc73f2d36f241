namespace Larder.Store;

/// <summary>What is reclaimed once a second without a write asking for it: a bounded amount, in steps between which the lock is free.</summary>
internal sealed unsafe partial class Shard
{
    // Steps of a second, each of at most about 0.1 ms: half a million entries expire in 64 shards, a pass through a shard of 64 MiB of
    // 100-byte values takes 8 s, and 8 MiB are compacted.
    private const int ExpirySteps = 32;
    private const int SweepSteps = 256;
    private const int DismantleSteps = 1024;
    private const int WalkSteps = 128;
    private const int CopySteps = 2048;
    private const int TakeBackSteps = 64;
    private const int ReleaseSteps = 128;

    // Sleeps of 1 ms, of all steps together, until waiting writes have had the lock: nothing is late here.
    private const int MaxSleeps = 64;

    private int _sleeps;

    /// <summary>Reclaims what has expired or was flushed, keeps the low-water mark, merges what is sparse, and gives back what nobody used.</summary>
    public void Maintain()
    {
        _sleeps = MaxSleeps;
        Step(BeginMaintenance);
        GiveBack(1, TakeRetiredTables);
        Repeat(ExpirySteps, () => ReclaimExpired(_parts.Clock.NowMs, StepEntries));
        Repeat(SweepSteps, () => Sweep(StepEntries));
        Repeat(DismantleSteps, () => Dismantle(StepEntries));
        Repeat(CopySteps, CopyOn);
        Repeat(WalkSteps, WalkOn);
        Repeat(TakeBackSteps, TakeBackMore);
        GiveBack(ReleaseSteps, _heap.TakeUnused);
        GiveBack(ReleaseSteps, TakeUnusedChunk);
    }

    /// <summary>
    /// Gives memory back to the system, which may take its time: without the lock; inside an epoch, so that the store's pages are there for as long as
    /// it takes.
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
            _sleeps = _waiting.LetIn(_sleeps);
        }
    }

    private void Repeat(int times, Func<bool> step)
    {
        while (times-- > 0 && Step(step))
        {
            _sleeps = _waiting.LetIn(_sleeps);
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

    private bool TakeBackMore()
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

    private bool WalkOn()
    {
        bool low = SegmentsComing() < LowWater;
        return (low || _victim != 0 || HoldsMuchDead) && WalkVictim(StepBytes, StepEntries, evict: low && _passBytes == 0);
    }
}
