namespace Larder.FileStore.Engine;

/// <summary>What the processes sharing a file agree through: the write lock and the committed word.</summary>
internal abstract unsafe class Coordinator : IDisposable
{
    /// <summary>Where the committed word lives: shared memory, or this process's own in polled mode.</summary>
    internal abstract long* CommittedWord { get; }

    internal ref long Committed => ref *CommittedWord;

    /// <summary>True where other processes' writes show only when the file is looked at.</summary>
    internal abstract bool IsPolled { get; }

    /// <summary>True from before a change of the file until after its commit.</summary>
    internal abstract bool Dirty { get; set; }

    /// <summary>The id of the log this belongs to; 0 before it is known.</summary>
    internal abstract ulong LogId { get; set; }

    /// <summary>Whether what it says can be trusted: written in this run of the machine.</summary>
    internal abstract bool IsOfThisBoot { get; }

    /// <summary>False once its file was deleted or replaced.</summary>
    internal abstract bool IsAtPath { get; }

    /// <summary>What is known of the holder of the lock, for a message.</summary>
    internal abstract string Holder { get; }

    /// <summary>Takes the write lock if it is free; never waits.</summary>
    internal abstract bool TryLock();

    internal abstract void Unlock();

    /// <summary>False if the lock was taken away from a holder that paused too long.</summary>
    internal abstract bool StillHeld { get; }

    /// <summary>Makes a new or outdated one ready, under the lock: nothing committed, dirty. False where it was ready.</summary>
    internal abstract bool InitialiseIfOutdated();

    /// <summary>True for one process of those that would compact <paramref name="generation"/>.</summary>
    internal abstract bool TryClaimCompaction(long generation);

    internal abstract void ReleaseCompaction();

    public abstract void Dispose();
}
