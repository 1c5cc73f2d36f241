using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>Files kept aside beyond this many are deleted, the oldest first.</summary>
    private const int MostAside = 16;

    /// <summary>Sidecars that were replaced and may still be looked at by a read on another thread.</summary>
    private const int MostRetired = 16;

    /// <summary>How long a folder that is missing is left to the one who is replacing it.</summary>
    private static readonly TimeSpan FolderPatience = TimeSpan.FromMilliseconds(100);

    /// <summary>Stopwatch time since when the folder has been missing.</summary>
    private long? _folderMissingSince;

    /// <summary>
    /// The file or its sidecar was deleted, replaced or overwritten: begins again with what is there now. The gate is held, the write lock is not. Those that
    /// write by a new sidecar are waited for in turn, for as long as <paramref name="patience"/>: false where that was not enough.
    /// </summary>
    private bool Recover(TimeSpan patience)
    {
        try
        {
            return TryBeginAgain(patience);
        }
        catch (Exception e) when (IsOfTheFile(e))
        {
            IdentityIsWrong(e.Message);
            throw;
        }
    }

    private bool TryBeginAgain(TimeSpan patience)
    {
        if (!IsFolderReady())
        {
            LookAgainSoon();
            return true;
        }
        bool newSidecar = !_coordinator.IsAtPath;
        Coordinator coordinator = newSidecar ? Sidecar.Open(Path + ".idx") : _coordinator;
        if (!(newSidecar ? coordinator.TryLock(patience) : coordinator.TryLock()))
        {
            if (newSidecar)
            {
                coordinator.Dispose();
                IdentityIsWrong($"{Path}.idx was deleted or replaced, and the new one's lock is not free; reads may be out of date until it is.");
            }
            // A writer is at work, or stopped: the next look comes with the next tick.
            LookAgainSoon();
            return false;
        }
        Coordinator before = _coordinator;
        try
        {
            if (!coordinator.IsAtPath)
            {
                // Switched again while the lock was waited for.
                LookAgainSoon();
                return true;
            }
            // Before other threads, which read and compact, come by its memory.
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
                TryAgree();
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
            // The caller finds it elsewhere, and tries again.
            LookAgainSoon();
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
    /// Creates the folder if it was deleted. One that is being replaced (moved away, and another one moved in) is missing for a moment: it is given 100 ms, so
    /// that no folder is created in between, which would be in the way.
    /// </summary>
    private bool IsFolderReady()
    {
        string folder = System.IO.Path.GetDirectoryName(Path)!;
        if (!Directory.Exists(folder))
        {
            _folderMissingSince ??= Stopwatch.GetTimestamp();
            TimeSpan patience = _settings.LockTimeout / 2 < FolderPatience ? _settings.LockTimeout / 2 : FolderPatience;
            if (Stopwatch.GetElapsedTime(_folderMissingSince.Value) < patience)
            {
                return false;
            }
            CreateFolder(folder);
        }
        _folderMissingSince = null;
        return true;
    }

    /// <summary>Creates the folder if it is missing; of a symbolic link to a folder that was deleted, that one.</summary>
    private static void CreateFolder(string folder)
    {
        DirectoryInfo info = new(folder);
        Directory.CreateDirectory(info.LinkTarget is null ? folder : info.ResolveLinkTarget(returnFinalTarget: true)!.FullName);
    }

    /// <summary>Has the timer's next tick look again whether log and sidecar are at the path.</summary>
    private void LookAgainSoon() => _identityAt = _clock.Tick - IdentityMs + TickMs;

    /// <summary>Closes a sidecar; its memory is kept a while, as a read on another thread may still look at it.</summary>
    private void Retire(Coordinator coordinator)
    {
        coordinator.Dispose();
        _retired.Enqueue(coordinator);
        if (_retired.Count > MostRetired)
        {
            _retired.Dequeue();
        }
    }

    /// <summary>
    /// The file at the path is no cache file any more: it is kept aside, and a new one begins with what this process holds, if that is all
    /// that was known to be committed, or else with the whole lines behind the damaged first one. Gate and write lock held.
    /// </summary>
    private void StartAnew(SafeFileHandle file, HeaderVerdict verdict, long committed)
    {
        lock (_monitor)
        {
            // By its id those that have the old one open know whether they find all of it in the new one.
            ulong id = _log is null || _position != committed || _isIncomplete ? NewId() : _logId;
            if (_log is null || IsBehind(committed))
            {
                Salvage(file, verdict);
            }
            string aside = "nowhere, as it is empty";
            bool isEmpty = RandomAccess.GetLength(file) == 0;
            WriteAnew(new LogHeader(id, IsPolled, NextGeneration(), 0, 0), () => aside = isEmpty ? aside : KeepAside(file));
            Log.StartedAnew(_logger, Path, Describe(verdict), aside, _set.Count);
            Say($"The cache file {Path} {Describe(verdict)}. It was kept aside ({aside}) and begun anew with {_set.Count} entries.");
        }
    }

    /// <summary>Whether others committed what this process has not read. A word that went back is one of a sidecar that was truncated or restored.</summary>
    private bool IsBehind(long committed) => Word.Generation(_position) != Word.Generation(committed)
        ? Word.Generation(_position) < Word.Generation(committed)
        : Word.Length(_position) < Word.Length(committed);

    private void Salvage(SafeFileHandle file, HeaderVerdict verdict)
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
            // The folder was switched at this very moment: another cache's file goes back.
            File.Move(aside, Path);
            throw FolderSwitched();
        }
        string[] kept = Directory.GetFiles(System.IO.Path.GetDirectoryName(Path)!, System.IO.Path.GetFileName(Path) + ".aside-*");
        Array.Sort(kept, StringComparer.Ordinal);
        foreach (string oldest in kept.AsSpan(0, Math.Max(0, kept.Length - MostAside)))
        {
            TryDelete(oldest);
        }
        return aside;
    }

    /// <summary>Writes the table as a new file over the path, which continues no other: every process reads it from its start. The monitor is held.</summary>
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
        SafeFileHandle written = OpenFile.Try(Path) ?? throw new IOException($"The cache file {Path} vanished as it was rewritten.");
        if (ReadHeader(written, out header) != HeaderVerdict.Good)
        {
            written.Dispose();
            throw new IOException($"The cache file {Path} was overwritten as it was rewritten.");
        }
        Adopt(written, header, header.Snap);
        _logId = header.Id;
        _isIncomplete = false;
    }

    private static ulong NewId() => (ulong)Random.Shared.NextInt64(1, long.MaxValue);

    /// <summary>
    /// Before a file is renamed over the path. If the folder is switched after this, the rename fails, as the file to be renamed lies in the other folder.
    /// </summary>
    private void RequireHeld()
    {
        RequireTogether(null);
        if (!_coordinator.StillHeld)
        {
            throw new IOException($"The write lock of the cache file {Path} was taken away from this process after a long pause.");
        }
    }

    /// <summary>Applies whole lines and passes over what is none.</summary>
    private sealed class WholeLines(CacheEngine engine) : LogVisitor
    {
        internal override void Accept(ref RecordReader record, long offset) => engine._applier.Accept(ref record, offset);

        internal override void Damaged(ReadOnlySpan<byte> region, long offset)
        {
            // A stretch of zeros is nobody's; the rest is treated as damage anywhere else, so that no older value comes back.
            int start = region.IndexOfAnyExcept((byte)0);
            if (start >= 0)
            {
                SplitAtZeros(region[start..], offset + start);
            }
        }

        /// <summary>A line that follows zeros has no line feed before it.</summary>
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
