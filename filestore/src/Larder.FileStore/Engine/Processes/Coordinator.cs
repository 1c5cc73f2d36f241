namespace Larder.FileStore.Engine;

/// <summary>
/// Coordinates the processes that share a cache file, through the write lock and the committed word. Most coordinators keep these in a file next to the cache
/// file: the sidecar, or the lock file in polled mode. "The coordinator's file" below means this file.
/// </summary>
internal abstract unsafe class Coordinator : IDisposable
{
    /// <summary>Gets the address of the committed word: in shared memory, or in this process's memory in polled mode.</summary>
    internal abstract long* CommittedWord { get; }

    /// <summary>Gets the word that changes with each write of another process. If the word is unchanged, a read does not check the cache file.</summary>
    internal virtual long* SignalWord => CommittedWord;

    internal ref long Committed => ref *CommittedWord;

    /// <summary>Gets whether the writes of other processes are detected only by checking the file.</summary>
    internal abstract bool IsPolled { get; }

    /// <summary>
    /// Gets or sets the dirty flag. A writer sets it to true before it changes the cache file, and to false after it has committed the change.
    /// </summary>
    internal abstract bool Dirty { get; set; }

    /// <summary>Gets or sets the id of the log that this coordinator belongs to; 0 if the id is not known yet.</summary>
    internal abstract ulong LogId { get; set; }

    /// <summary>Gets whether the contents of the coordinator's file can be trusted because they were written since the machine booted.</summary>
    internal abstract bool IsOfThisBoot { get; }

    /// <summary>
    /// Gets whether the coordinator's file is still the file at its path. False if that file or its folder was deleted or replaced, or if a symbolic link in
    /// the path was switched. The check is cheap enough for each write (one system call).
    /// </summary>
    internal abstract bool IsAtPath { get; }

    /// <summary>
    /// Gets whether the memory of the coordinator's file is usable. False if the file is new or was truncated or overwritten; <see cref="Size"/> then repairs
    /// the file.
    /// </summary>
    internal virtual bool IsIntact => true;

    /// <summary>Gets whether another open cache uses the coordinator's file. False if the system cannot determine this.</summary>
    internal abstract bool IsOpenElsewhere { get; }

    /// <summary>Gets a description of the lock holder, for messages.</summary>
    internal abstract string Holder { get; }

    /// <summary>Takes the write lock if it is free; never waits.</summary>
    internal abstract bool TryLock();

    /// <summary>
    /// Takes the write lock if the lock is free or becomes free within a few attempts, and if no other writer has been waiting for a long time.
    /// </summary>
    internal abstract bool TryLockAtOnce();

    /// <summary>Takes the write lock, waiting at most <paramref name="timeout"/>. Returns false on timeout.</summary>
    internal abstract bool TryLock(TimeSpan timeout);

    internal abstract void Unlock();

    /// <summary>Gets whether this coordinator still holds the lock. False if another process took the lock because this process paused too long.</summary>
    internal abstract bool StillHeld { get; }

    /// <summary>
    /// Gets whether the coordinator's file was new when this process initialized it. In that case, processes that lock an older, deleted file may still be
    /// active.
    /// </summary>
    internal virtual bool WasNew => false;

    /// <summary>Sets the size of a new coordinator's file, so that its memory can be accessed. The caller holds the lock.</summary>
    internal abstract void Size();

    /// <summary>
    /// Initializes a new or outdated coordinator's file as dirty, with nothing committed. Returns false if the file was already initialized. The caller holds
    /// the lock.
    /// </summary>
    internal abstract bool InitialiseIfOutdated();

    /// <summary>
    /// Returns true to only one of the processes that are about to compact. The claim ends when the process that has it ends. The claim only avoids duplicate
    /// work. Mutual exclusion is ensured when the compacted file replaces the old file.
    /// </summary>
    internal abstract bool TryClaimCompaction();

    internal abstract void ReleaseCompaction();

    public abstract void Dispose();
}
