namespace Larder.FileStore.Engine;

/// <summary>Coordinates the processes that share a file, through the write lock and the committed word.</summary>
internal abstract unsafe class Coordinator : IDisposable
{
    /// <summary>Gets the address of the committed word: in shared memory, or in this process's memory in polled mode.</summary>
    internal abstract long* CommittedWord { get; }

    /// <summary>Gets the word that changes with each write of another process. A read that finds it unchanged does not check the file.</summary>
    internal virtual long* SignalWord => CommittedWord;

    internal ref long Committed => ref *CommittedWord;

    /// <summary>Gets whether the writes of other processes are detected only by checking the file.</summary>
    internal abstract bool IsPolled { get; }

    /// <summary>Gets or sets the dirty flag: true from before a change of the file until after its commit.</summary>
    internal abstract bool Dirty { get; set; }

    /// <summary>Gets or sets the id of the log that this coordinator belongs to; 0 if not known yet.</summary>
    internal abstract ulong LogId { get; set; }

    /// <summary>Gets whether the contents can be trusted because they were written since the machine booted.</summary>
    internal abstract bool IsOfThisBoot { get; }

    /// <summary>
    /// Gets whether the file at its path is still the open one. False if it or its folder was deleted or replaced, or a symbolic link in the path was switched.
    /// Cheap enough for each write (one system call).
    /// </summary>
    internal abstract bool IsAtPath { get; }

    /// <summary>
    /// Gets whether its memory is usable. False if the file is new or was truncated or overwritten; <see cref="Size"/> repairs it.
    /// </summary>
    internal virtual bool IsIntact => true;

    /// <summary>Gets whether another open cache uses the file; false if the system cannot tell.</summary>
    internal abstract bool IsOpenElsewhere { get; }

    /// <summary>Gets a description of the lock holder, for messages.</summary>
    internal abstract string Holder { get; }

    /// <summary>Takes the write lock if it is free; never waits.</summary>
    internal abstract bool TryLock();

    /// <summary>Takes the write lock if it becomes free within a moment and no other writer has been waiting for long.</summary>
    internal abstract bool TryLockAtOnce();

    /// <summary>Takes the write lock, waiting at most <paramref name="timeout"/>. Returns false on timeout.</summary>
    internal abstract bool TryLock(TimeSpan timeout);

    internal abstract void Unlock();

    /// <summary>Gets whether the lock is still held. False if it was taken away because its holder paused too long.</summary>
    internal abstract bool StillHeld { get; }

    /// <summary>
    /// Gets whether it was new when this process initialized it. Processes that lock an older, deleted one may then still be active.
    /// </summary>
    internal virtual bool WasNew => false;

    /// <summary>Sets the size of a new file, under the lock, so that its memory can be accessed.</summary>
    internal abstract void Size();

    /// <summary>
    /// Initializes a new or outdated file, under the lock: nothing committed, dirty. Returns false if it was already initialized.
    /// </summary>
    internal abstract bool InitialiseIfOutdated();

    /// <summary>
    /// Returns true to one process that wants to compact. The claim ends with its process. It only avoids duplicate work; mutual exclusion is ensured when the
    /// compacted file is switched in.
    /// </summary>
    internal abstract bool TryClaimCompaction();

    internal abstract void ReleaseCompaction();

    public abstract void Dispose();
}
