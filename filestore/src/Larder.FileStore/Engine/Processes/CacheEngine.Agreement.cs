using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// Before the first byte of a change is written: finishes what a dead writer left, reads what others wrote, and looks whether the file
    /// is the one that was open, as long as was committed, with its own first line; begins again with what is there where it is not.
    /// False where the sidecar was deleted or replaced, so that others may hold another lock. Gate and write lock held.
    /// </summary>
    private bool TryAgree()
    {
        try
        {
            return TryAgreeOrBeginAgain();
        }
        catch (Exception e) when (IsOfTheFile(e))
        {
            IdentityIsWrong(e.Message);
            throw;
        }
    }

    private bool TryAgreeOrBeginAgain()
    {
        try
        {
            return TryAgreeHere();
        }
        catch (IOException) when (!_coordinator.IsAtPath)
        {
            // The folder was switched meanwhile: this lock is not the one that the others use.
            return false;
        }
    }

    private bool TryAgreeHere()
    {
        if (!_coordinator.IsIntact)
        {
            _coordinator.Size();
        }
        RepairIfDirty();
        if (Agrees())
        {
            return !_mayHaveHole || TryRebuildHole();
        }
        if (!_coordinator.IsAtPath)
        {
            return false;
        }
        if (TryLeaveToOthers() && Agrees())
        {
            return true;
        }
        Establish(replaced: true);
        if (!Agrees())
        {
            throw new IOException($"The cache file {Path} does not agree with {Path}.idx at the moment; the next write looks again.");
        }
        Volatile.Write(ref _identityFault, null);
        return true;
    }

    /// <summary>
    /// Where the file was overwritten, or cut short at the very moment of a write, before this process had read all of it, another that has it open may hold
    /// the rest and begin it anew: it gets the lock for a while.
    /// </summary>
    private bool TryLeaveToOthers()
    {
        if (IsPolled || _position == _coordinator.Committed || !_coordinator.IsOpenElsewhere || IsWhole())
        {
            return false;
        }
        _coordinator.Unlock();
        AwaitRecoveryByOthers();
        if (!_coordinator.TryLock(_settings.LockTimeout))
        {
            throw Busy(_coordinator.Holder);
        }
        RepairIfDirty();
        return true;
    }

    /// <summary>
    /// If the file has a hole, because it was truncated at the moment of a write, rebuilds it from the table, which holds all that was committed. Returns false
    /// if the file is missing. The next write does this in its turn: among many writers a single attempt to take the lock can fail for seconds.
    /// </summary>
    private bool TryRebuildHole()
    {
        _mayHaveHole = false;
        if (!HasHole())
        {
            return true;
        }
        using SafeFileHandle? file = OpenFile.Try(Path);
        if (file is null)
        {
            return false;
        }
        _coordinator.Dirty = true;
        StartAnew(file, HeaderVerdict.Damaged, _coordinator.Committed);
        Settle();
        return Agrees();
    }

    /// <summary>Whether the file at the path has a good first line and no hole.</summary>
    private bool IsWhole()
    {
        using SafeFileHandle? file = OpenFile.Try(Path);
        return file is not null && ReadHeader(file, out _) == HeaderVerdict.Good && !PositionedFile.HasHole(file, RandomAccess.GetLength(file));
    }

    private bool Agrees()
    {
        lock (_monitor)
        {
            try
            {
                return (IsPolled ? TryCatchUp() : CatchUp()) && _position == _coordinator.Committed
                    && (IsPolled || (IsOurs(exactly: true) && _coordinator.IsAtPath));
            }
            catch (Exception e) when (e is IOException or DistributedFileStoreCacheException)
            {
                return false;
            }
        }
    }

    /// <summary>
    /// The sidecar, whose lock is held, and <paramref name="file"/> must be the ones at the path: if a symbolic link or a folder was switched between opening
    /// the two, other processes write to this file under another lock.
    /// </summary>
    private void RequireTogether(SafeFileHandle? file)
    {
        if (!_coordinator.IsAtPath || (file is not null && !IsPolled && !FileFacts.OfOpen(file).IsAt(_systemPath)))
        {
            throw FolderSwitched();
        }
    }

    private IOException FolderSwitched() => new($"The folder of the cache file {Path} was switched or replaced meanwhile; the next write looks again.");

    /// <summary>
    /// One call for the file at the path (is it the open one, how long is it) and one for its first line: some 0.7 µs. Without the write
    /// lock the file may be longer than committed, as another writer may be at work.
    /// </summary>
    private bool IsOurs(bool exactly)
    {
        if (_log is not { IsClosed: false } || !FileFacts.TryOfPath(_systemPath, out FileFacts now) || !now.IsSame(_logFacts))
        {
            return false;
        }
        long length = Word.Length(_position);
        Span<byte> header = stackalloc byte[LogHeader.Bytes];
        return (exactly ? now.Length == length : now.Length >= length)
            && PositionedFile.Read(_log, header, 0) == LogHeader.Bytes && header.SequenceEqual(_logHeader);
    }
}
