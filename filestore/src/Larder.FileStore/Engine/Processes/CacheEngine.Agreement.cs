using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// Runs before the first byte of a change is written. Completes or removes the last write of a terminated writer, reads what other processes wrote, and
    /// checks the file. The file at the path must be the file that this cache has open, with the committed length and the expected first line. Otherwise,
    /// reloads the file that is at the path now. Returns false if the sidecar was deleted or replaced, because other processes may then hold another lock. The
    /// caller holds the gate and the write lock.
    /// </summary>
    private bool TryAgreeOnFile()
    {
        try
        {
            return TryAgreeOrReopen();
        }
        catch (Exception e) when (IsOfTheFile(e))
        {
            IdentityIsWrong(e.Message);
            throw;
        }
    }

    private bool TryAgreeOrReopen()
    {
        try
        {
            return TryAgreeOnMode();
        }
        catch (IOException) when (!_coordinator.IsAtPath)
        {
            // The folder was replaced concurrently, so other processes use a different lock.
            return false;
        }
    }

    private bool TryAgreeOnMode()
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
            throw new IOException($"The cache file {Path} does not match {Path}.idx. The next write checks both files again.");
        }
        Volatile.Write(ref _identityFault, null);
        return true;
    }

    /// <summary>
    /// Releases the lock for a while if the file was overwritten, or truncated during a write, before this process had read the whole file. Another process
    /// that has the file open may have the rest of the contents in memory and can recreate the file.
    /// </summary>
    private bool TryLeaveToOthers()
    {
        if (IsPolled || _position == _coordinator.Committed || !_coordinator.IsOpenElsewhere || IsWhole())
        {
            return false;
        }
        _coordinator.Unlock();
        WaitForRepairByOthers();
        if (!_coordinator.TryLock(_settings.LockTimeout))
        {
            throw Busy(_coordinator.Holder);
        }
        RepairIfDirty();
        return true;
    }

    /// <summary>
    /// Rebuilds a file with a hole from the table, which contains all committed lines. A truncation during a write causes such a hole. Returns false if the
    /// file is missing. The next write calls this method under the lock that the write already holds, because with many writers, a separate attempt to take the
    /// lock can fail for seconds.
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
        StartNewFile(file, HeaderVerdict.Damaged, _coordinator.Committed);
        Settle();
        return Agrees();
    }

    /// <summary>Returns whether the file at the path has a valid first line and no hole.</summary>
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
                bool hasRead = IsPolled ? TryCatchUp() : CatchUp();
                if (hasRead)
                {
                    // Without this, a read after this write would not wait for a change in progress, because an earlier read had failed.
                    Volatile.Write(ref _readFaults, 0);
                }
                return hasRead && _position == _coordinator.Committed && (IsPolled || (IsOurs(exactly: true) && _coordinator.IsAtPath));
            }
            catch (Exception e) when (e is IOException or DistributedFileStoreCacheException)
            {
                return false;
            }
        }
    }

    /// <summary>
    /// Throws unless the sidecar that this process has locked and <paramref name="file"/> are still the files at their paths. If a symbolic link or a folder
    /// was switched between the opening of the sidecar and the opening of the file, other processes write to this file under a different lock.
    /// </summary>
    private void RequireTogether(SafeFileHandle? file)
    {
        if (!_coordinator.IsAtPath || (file is not null && !IsPolled && !FileFacts.OfOpen(file).IsAt(_systemPath)))
        {
            throw FolderSwitched();
        }
    }

    private IOException FolderSwitched() =>
        new($"The folder of the cache file {Path}, or a symbolic link to it, was replaced during the write. The next write checks the folder again.");

    /// <summary>
    /// Returns whether the file at the path is the file that this cache has open, with the expected length and first line. Makes one system call for identity
    /// and length and one system call for the first line, which take about 0.7 µs together. Without the write lock the file may be longer than committed,
    /// because another writer may be active.
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
