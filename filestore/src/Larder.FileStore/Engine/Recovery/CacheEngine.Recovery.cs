using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>The maximum number of replaced files that are kept. The oldest files are deleted first.</summary>
    private const int MaxKeptCopies = 16;

    /// <summary>The maximum number of replaced sidecars that stay mapped because a read on another thread may still access them.</summary>
    private const int MaxRetired = 16;

    /// <summary>How long to wait before a missing folder is created, because another process may be replacing the folder.</summary>
    private static readonly TimeSpan FolderTimeout = TimeSpan.FromMilliseconds(100);

    /// <summary>The stopwatch timestamp at which the folder was first found missing; null if the folder was not missing at the last check.</summary>
    private long? _folderMissingSince;

    /// <summary>
    /// Recovers after the file or its sidecar was deleted, replaced or overwritten: continues with the files that are at the path now. The caller holds the
    /// gate but not the write lock. Waits at most <paramref name="patience"/> for processes that write with a new sidecar; returns false on timeout.
    /// </summary>
    private bool Recover(TimeSpan patience)
    {
        try
        {
            return TryReopen(patience);
        }
        catch (Exception e) when (IsOfTheFile(e))
        {
            IdentityIsWrong(e.Message);
            throw;
        }
    }

    private bool TryReopen(TimeSpan patience)
    {
        if (!IsFolderReady())
        {
            CheckIdentitySoon();
            return true;
        }
        bool newSidecar = !_coordinator.IsAtPath;
        Coordinator coordinator = newSidecar ? Sidecar.Open(Path + ".idx") : _coordinator;
        if (!(newSidecar ? coordinator.TryLock(patience) : coordinator.TryLock()))
        {
            if (newSidecar)
            {
                coordinator.Dispose();
                IdentityIsWrong($"{Path}.idx was deleted or replaced, and a writer has locked the new file. Until it unlocks the file, reads may be stale.");
            }
            // A writer is active or stalled. Check again at the next tick.
            CheckIdentitySoon();
            return false;
        }
        Coordinator before = _coordinator;
        try
        {
            if (!coordinator.IsAtPath)
            {
                // The file was replaced again while waiting for the lock.
                CheckIdentitySoon();
                return true;
            }
            // Initialize the memory of the sidecar before other threads, which read and compact, access it.
            coordinator.Size();
            _coordinator = coordinator;
            if (newSidecar)
            {
                Establish(replaced: false);
                _committed = coordinator.CommittedWord;
            }
            else
            {
                _mayHaveHole = true;
                TryAgreeOnFile();
            }
            Volatile.Write(ref _identityFault, null);
        }
        catch (Exception e)
        {
            bool isSwitched = e is IOException && !coordinator.IsAtPath;
            _coordinator = before;
            if (!isSwitched)
            {
                throw;
            }
            // The caller detects the switch and retries.
            CheckIdentitySoon();
        }
        finally
        {
            coordinator.Unlock();
            if (newSidecar)
            {
                Retire(ReferenceEquals(_coordinator, coordinator) ? before : coordinator);
            }
        }
        return true;
    }

    /// <summary>
    /// Creates the folder if it was deleted. A folder that is being replaced (moved away, and another folder moved in) is missing for a moment. This method
    /// waits 100 ms before it creates the folder, because a folder created during that moment would block the replacement.
    /// </summary>
    private bool IsFolderReady()
    {
        string folder = System.IO.Path.GetDirectoryName(Path)!;
        if (!Directory.Exists(folder))
        {
            _folderMissingSince ??= Stopwatch.GetTimestamp();
            TimeSpan patience = _settings.LockTimeout / 2 < FolderTimeout ? _settings.LockTimeout / 2 : FolderTimeout;
            if (Stopwatch.GetElapsedTime(_folderMissingSince.Value) < patience)
            {
                return false;
            }
            CreateFolder(folder);
        }
        _folderMissingSince = null;
        return true;
    }

    /// <summary>Creates the folder if it is missing. If the folder is a symbolic link, creates its target.</summary>
    private static void CreateFolder(string folder)
    {
        DirectoryInfo info = new(folder);
        Directory.CreateDirectory(info.LinkTarget is null ? folder : info.ResolveLinkTarget(returnFinalTarget: true)!.FullName);
    }

    /// <summary>Causes the next timer tick to check again whether the log and the sidecar are at the path.</summary>
    private void CheckIdentitySoon() => _identityAt = _clock.Tick - IdentityMs + TickMs;

    /// <summary>Closes a sidecar but keeps its memory for a while, because a read on another thread may still access it.</summary>
    private void Retire(Coordinator coordinator)
    {
        coordinator.Dispose();
        _retired.Enqueue(coordinator);
        if (_retired.Count > MaxRetired)
        {
            _retired.Dequeue();
        }
    }

    /// <summary>
    /// Handles a file at the path that is no longer a cache file: moves it aside and writes a new one. The new file contains the table if that includes
    /// everything known to be committed, otherwise the complete lines after the damaged first line. The caller holds the gate and the write lock.
    /// </summary>
    private void StartNewFile(SafeFileHandle file, HeaderVerdict verdict, long committed)
    {
        lock (_monitor)
        {
            // Processes that have the old file open detect by the log id whether the new file contains everything that the old file contained.
            ulong id = _log is null || _position != committed || _isIncomplete ? NewId() : _logId;
            if (_log is null || IsBehind(committed))
            {
                RecoverEntries(file, verdict);
            }
            string aside = "none, because the old file was empty";
            bool isEmpty = RandomAccess.GetLength(file) == 0;
            WriteAnew(new LogHeader(id, IsPolled, NextGeneration(), 0, 0), () => aside = isEmpty ? aside : KeepAside(file));
            Log.StartedAnew(_logger, Path, Describe(verdict), aside, _set.Count);
            Say($"The cache file {Path} {Describe(verdict)}. It was recreated with {_set.Count} entries. Copy of the old file: {aside}.");
        }
    }

    /// <summary>
    /// Returns whether other processes committed lines that this process has not read. A committed word that decreased comes from a truncated or restored
    /// sidecar, and does not count.
    /// </summary>
    private bool IsBehind(long committed) => Word.Generation(_position) != Word.Generation(committed)
        ? Word.Generation(_position) < Word.Generation(committed)
        : Word.Length(_position) < Word.Length(committed);

    private void RecoverEntries(SafeFileHandle file, HeaderVerdict verdict)
    {
        _set = new EntrySet(_clock);
        if (verdict == HeaderVerdict.Damaged)
        {
            LogScanner.Scan(file, LogHeader.Bytes, long.MaxValue, new WholeLines(this), TailPolicy.Torn);
            Purge();
        }
    }

    private string KeepAside(SafeFileHandle file)
    {
        string aside = string.Create(CultureInfo.InvariantCulture, $"{Path}.aside-{DateTime.UtcNow:yyyyMMdd'T'HHmmss'.'fffffff}");
        File.Move(Path, aside);
        if (!FileFacts.OfOpen(file).IsAt(FileFacts.SystemPath(aside)))
        {
            // The folder was switched at this moment, so the moved file belongs to another cache. Move the file back.
            File.Move(aside, Path);
            throw FolderSwitched();
        }
        string[] kept = Directory.GetFiles(System.IO.Path.GetDirectoryName(Path)!, System.IO.Path.GetFileName(Path) + ".aside-*");
        Array.Sort(kept, StringComparer.Ordinal);
        foreach (string oldest in kept.AsSpan(0, Math.Max(0, kept.Length - MaxKeptCopies)))
        {
            TryDelete(oldest);
        }
        return aside;
    }

    /// <summary>
    /// Writes the table to a new file and renames that file to the path. The new file does not continue any other file, so every process reads it from the
    /// start. The caller holds the monitor.
    /// </summary>
    private void WriteAnew(LogHeader header, Action? beforeRename = null)
    {
        using FileStream temporary = OpenFile.CreateNew(TemporaryPath(header.Generation));
        try
        {
            temporary.Position = LogHeader.Bytes;
            WriteEntries(temporary, _set.Slots);
            FinishTemporary(temporary, header);
            RequireHeld();
            beforeRename?.Invoke();
            RenameOver(temporary.Name);
        }
        finally
        {
            TryDelete(temporary.Name);
        }
        SafeFileHandle written = OpenFile.Try(Path) ?? throw new IOException(
            $"The cache file {Path} disappeared while it was being rewritten. The next write rewrites the file again.");
        if (ReadHeader(written, out header) != HeaderVerdict.Good)
        {
            written.Dispose();
            throw new IOException(
                $"Another program overwrote the cache file {Path} right after this process had rewritten it. Make sure that no other program writes to it.");
        }
        Adopt(written, header, header.Snap);
        _logId = header.Id;
        _isIncomplete = false;
    }

    private static ulong NewId() => (ulong)Random.Shared.NextInt64(1, long.MaxValue);

    /// <summary>
    /// Throws if the lock is no longer held. Called before a file is renamed to the path. If the folder is switched after this check, the rename fails, because
    /// the file to be renamed is in the other folder.
    /// </summary>
    private void RequireHeld()
    {
        RequireTogether(null);
        if (!_coordinator.StillHeld)
        {
            throw new IOException($"This process was paused for so long that it lost the write lock of the cache file {Path}. The file was not replaced.");
        }
    }

    /// <summary>Applies complete lines and skips zeros.</summary>
    private sealed class WholeLines(CacheEngine engine) : LogVisitor
    {
        internal override void Accept(ref RecordReader record, long offset) => engine._applier.Accept(ref record, offset);

        internal override void Damaged(ReadOnlySpan<byte> region, long offset)
        {
            // Leading zeros are ignored. The rest is treated like any other damage, so that no older value reappears.
            int start = region.IndexOfAnyExcept((byte)0);
            if (start >= 0)
            {
                SplitAtZeros(region[start..], offset + start);
            }
        }

        /// <summary>Handles a line that follows zeros and therefore has no line feed before it.</summary>
        private void SplitAtZeros(ReadOnlySpan<byte> region, long offset)
        {
            if (RecordReader.TryOpen(region, out RecordReader record))
            {
                Accept(ref record, offset);
            }
            else
            {
                engine._applier.Damaged(region, offset);
            }
        }
    }
}
