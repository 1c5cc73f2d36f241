namespace Larder.FileStore.Engine;

/// <summary>What the processes sharing a file agree through: the write lock and the committed word.</summary>
internal abstract unsafe class Coordinator : IDisposable
{
    /// <summary>Where the committed word lives: shared memory, or this process's own in polled mode.</summary>
    internal abstract long* CommittedWord { get; }

    /// <summary>The word that moves with each write of another process: a read that finds it where it was need not look.</summary>
    internal virtual long* SignalWord => CommittedWord;

    internal ref long Committed => ref *CommittedWord;

    /// <summary>True where other processes' writes show only when the file is looked at.</summary>
    internal abstract bool IsPolled { get; }

    /// <summary>True from before a change of the file until after its commit.</summary>
    internal abstract bool Dirty { get; set; }

    /// <summary>The id of the log this belongs to; 0 before it is known.</summary>
    internal abstract ulong LogId { get; set; }

    /// <summary>Whether what it says can be trusted: written in this run of the machine.</summary>
    internal abstract bool IsOfThisBoot { get; }

    /// <summary>
    /// False once another file is at its path: it was deleted or replaced, or its folder, or a symbolic link on the way was switched. Cheap enough for each
    /// write (one system call).
    /// </summary>
    internal abstract bool IsAtPath { get; }

    /// <summary>False while its memory is not usable: the file is new, or was truncated or overwritten. <see cref="Size"/> repairs it.</summary>
    internal virtual bool IsIntact => true;

    /// <summary>Whether another open cache has the file in use; false where the system does not tell.</summary>
    internal abstract bool IsOpenElsewhere { get; }

    /// <summary>What is known of the holder of the lock, for a message.</summary>
    internal abstract string Holder { get; }

    /// <summary>Takes the write lock if it is free; never waits.</summary>
    internal abstract bool TryLock();

    /// <summary>Takes the write lock if it comes free in a moment and nobody has waited for it for long.</summary>
    internal abstract bool TryLockAtOnce();

    /// <summary>Takes the write lock, waiting for others at most so long; false where it did not come free.</summary>
    internal abstract bool TryLock(TimeSpan timeout);

    internal abstract void Unlock();

    /// <summary>False if the lock was taken away from a holder that paused too long.</summary>
    internal abstract bool StillHeld { get; }

    /// <summary>Whether it was new when it was made ready here: processes that lock an older one, deleted meanwhile, may still be at work.</summary>
    internal virtual bool WasNew => false;

    /// <summary>Gives a new one its size, under the lock, so that its memory can be looked at.</summary>
    internal abstract void Size();

    /// <summary>Makes a new or outdated one ready, under the lock: nothing committed, dirty. False where it was ready.</summary>
    internal abstract bool InitialiseIfOutdated();

    /// <summary>True for one of those that would compact; the claim ends with its process. It spares work: what excludes is the switch.</summary>
    internal abstract bool TryClaimCompaction();

    internal abstract void ReleaseCompaction();

    public abstract void Dispose();
}
