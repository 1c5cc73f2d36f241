using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>What is left to copy under the write lock: 32 KB take some 20 µs.</summary>
    private const int MostCopiedUnderLock = 32 * 1024;

    /// <summary>Held for as long as this process compacts: a closing cache waits for it.</summary>
    private readonly Lock _compactor = new();
    private bool _isCompacting;
    private long _compactionFailedAt = long.MinValue / 2;

    /// <summary>Compactions that this process made.</summary>
    internal long Compactions { get; private set; }

    private bool IsCompactionDue =>
        FileBytes > _settings.CompactionFloorBytes && FileBytes > 2 * (_set.LiveBytes + LogHeader.Bytes);

    /// <summary>As <see cref="IsCompactionDue"/> of a cache at rest, however short its file: what is rewritten is at most what was appended.</summary>
    private bool IsSweepDue => _damagedInFile || FileBytes > 2 * (_set.LiveBytes + LogHeader.Bytes);

    private void ScheduleCompaction()
    {
        if (!Volatile.Read(ref _isCompacting) && !HasJustFailed)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static engine => engine.CompactQuietly(), this, preferLocal: false);
        }
    }

    private void CompactQuietly()
    {
        try
        {
            // Another process may have been faster: then nothing is due any more.
            Compact(onlyIfDue: true, claim: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            CompactionFailed(e.Message);
        }
        catch (ObjectDisposedException)
        {
            // Closed meanwhile.
        }
    }

    /// <summary>
    /// Writes the live entries to a new file and renames it over the old one. Writers wait only while the last 32 KB are copied.
    /// False where another process is at it, or was faster.
    /// </summary>
    internal bool Compact() => Compact(onlyIfDue: false, claim: true);

    private bool Compact(bool onlyIfDue, bool claim)
    {
        RequireWritable();
        if (Volatile.Read(ref _isCompacting) || !_compactor.TryEnter())
        {
            return false;
        }
        try
        {
            ThrowIfDisposed();
            Volatile.Write(ref _isCompacting, true);
            return claim ? CompactIfClaimed(onlyIfDue) : CompactAlone(onlyIfDue);
        }
        finally
        {
            Volatile.Write(ref _isCompacting, false);
            _compactor.Exit();
        }
    }

    private bool CompactIfClaimed(bool onlyIfDue)
    {
        // Where it is replaced meanwhile, the claim is given back where it was taken.
        Coordinator coordinator = _coordinator;
        if (!coordinator.TryClaimCompaction())
        {
            return false;
        }
        try
        {
            return CompactAlone(onlyIfDue);
        }
        finally
        {
            coordinator.ReleaseCompaction();
        }
    }

    private bool CompactAlone(bool onlyIfDue)
    {
        long from;
        Slot[] slots;
        SafeFileHandle log;
        lock (_monitor)
        {
            if (!TryCatchUp())
            {
                return false;
            }
            Purge();
            if (onlyIfDue && !IsSweepDue)
            {
                return false;
            }
            (from, slots, log) = (_position, _set.Slots, _log!);
        }
        return CompactFrom(from, slots, log);
    }

    private bool CompactFrom(long from, Slot[] slots, SafeFileHandle log)
    {
        long generation = Word.Generation(from);
        string temporaryPath = TemporaryPath(Word.Next(generation));
        try
        {
            using FileStream temporary = OpenFile.CreateNew(temporaryPath);
            temporary.Position = LogHeader.Bytes;
            // The slots may hold newer values by now; replaying the lines from here on ends at the right ones all the same.
            WriteEntries(temporary, slots);
            long copied = Word.Length(from);
            if (!CopyTail(log, temporary, generation, ref copied))
            {
                return false;
            }
            temporary.Flush();
            DiskFlush.File(temporary.SafeFileHandle);
            return SwitchOver(temporary, log, generation, copied);
        }
        catch (EndOfStreamException) when (_coordinator.IsAtPath)
        {
            _mayHaveHole = true;
            throw;
        }
        catch (IOException) when (!_coordinator.IsAtPath)
        {
            // The folder was switched or deleted meanwhile: the file that was compacted is not in use any more.
            return false;
        }
        finally
        {
            TryDelete(temporaryPath);
        }
    }

    /// <summary>Copies what was committed meanwhile until little is left; false if another compaction was faster.</summary>
    private bool CopyTail(SafeFileHandle log, FileStream temporary, long generation, ref long copied)
    {
        while (true)
        {
            long committed = Volatile.Read(ref _coordinator.Committed);
            if (Word.Generation(committed) != generation)
            {
                return false;
            }
            if (Word.Length(committed) - copied < MostCopiedUnderLock)
            {
                return true;
            }
            try
            {
                CopyLines(log, temporary, ref copied, Word.Length(committed));
            }
            catch (EndOfStreamException) when (IsChangedMeanwhile(committed))
            {
                // Cleared in place, or begun anew: there is nothing to compact any more.
                return false;
            }
        }
    }

    private static void CopyLines(SafeFileHandle log, FileStream temporary, ref long copied, long to)
    {
        byte[] block = System.Buffers.ArrayPool<byte>.Shared.Rent((int)Math.Clamp(to - copied, 1, 256 * 1024));
        try
        {
            while (copied < to)
            {
                int read = RandomAccess.Read(log, block.AsSpan(0, (int)Math.Min(block.Length, to - copied)), copied);
                // No line contains a zero. A copied hole would become written zeros, which no later check finds.
                if (read == 0 || block.AsSpan(0, read).Contains((byte)0))
                {
                    throw new EndOfStreamException("The cache file holds less than what was committed to it.");
                }
                temporary.Write(block, 0, read);
                copied += read;
            }
        }
        finally
        {
            System.Buffers.ArrayPool<byte>.Shared.Return(block);
        }
    }

    private bool SwitchOver(FileStream temporary, SafeFileHandle log, long generation, long copied)
    {
        lock (_gate)
        {
            ThrowIfDisposed();
            WaitForLock(Stopwatch.GetTimestamp());
            try
            {
                if (!TryAgree() || Word.Generation(_position) != generation || !ReferenceEquals(log, _log))
                {
                    return false;
                }
                long length = Word.Length(_position);
                CopyLines(log, temporary, ref copied, length);
                LogHeader header = new(_isIncomplete ? NewId() : _logId, IsPolled, Word.Next(generation), 0, length);
                FinishTemporary(temporary, header);
                RequireHeld();
                _coordinator.Dirty = true;
                RenameOver(temporary.Name);
                Volatile.Write(ref _coordinator.Committed, Word.Of(Word.Next(generation), temporary.Length));
                _coordinator.Dirty = false;
            }
            finally
            {
                _coordinator.Unlock();
            }
        }
        Compactions++;
        _damagedInFile = false;
        Volatile.Write(ref _compactionFault, null);
        Instruments.Compacted();
        Refresh();
        DeleteOldTemporaries();
        return true;
    }

    /// <summary>Writes the first line, now that the length is known, and flushes where the option asks for it.</summary>
    private void FinishTemporary(FileStream temporary, LogHeader header)
    {
        FileModes.Apply(temporary.SafeFileHandle, Path, _settings.UnixCreateMode);
        temporary.Flush();
        temporary.Position = 0;
        temporary.Write((header with { Snap = Math.Max(temporary.Length, LogHeader.Bytes) }).ToBytes());
        temporary.Flush();
        if (_settings.Durability != FileStoreDurability.None || IsPolled)
        {
            DiskFlush.File(temporary.SafeFileHandle);
        }
    }

    private void RenameOver(string temporaryPath)
    {
        File.Move(temporaryPath, Path, overwrite: true);
        if (_settings.Durability != FileStoreDurability.None)
        {
            DiskFlush.Folder(System.IO.Path.GetDirectoryName(Path)!);
        }
    }

    private void WriteEntries(FileStream destination, Slot[] slots)
    {
        RecordBuffer buffer = new();
        long now = _clock.Tick;
        // In the order in which keys were added, which is what a process that reads the file finds.
        foreach (Entry entry in EntrySet.InOrder(slots))
        {
            if (entry.Deadline <= now)
            {
                continue;
            }
            buffer.BeginLine();
            if (entry is SlidingEntry sliding)
            {
                buffer.Set(entry.Key, entry.Value!, _clock.UtcMsOf(sliding.Deadline), sliding.SlidingMs, sliding.CapMs);
            }
            else
            {
                buffer.Set(entry.Key, entry.Value!, entry.ExpiresMs, 0, 0);
            }
            buffer.EndLine();
            if (buffer.Length > 64 * 1024)
            {
                ThrowIfDisposed();
                destination.Write(buffer.Written);
                buffer.Reset();
            }
        }
        destination.Write(buffer.Written);
    }

    private string TemporaryPath(long generation) => string.Create(CultureInfo.InvariantCulture,
        $"{Path}.g{generation}.{Environment.ProcessId}{Random.Shared.Next():x8}.tmp");

    /// <summary>
    /// Removes what compactors left that were killed. A file still being written is told by the lock that .NET holds on each file it has open.
    /// </summary>
    private void DeleteOldTemporaries()
    {
        string name = System.IO.Path.GetFileName(Path);
        foreach (string file in Directory.EnumerateFiles(System.IO.Path.GetDirectoryName(Path)!, name + ".g*.tmp"))
        {
            if (IsAbandoned(file))
            {
                TryDelete(file);
            }
        }
    }

    private static bool IsAbandoned(string file)
    {
        try
        {
            FileInfo info = new(file);
            if (info.Length == 0 && info.LastWriteTimeUtc >= DateTime.UtcNow.AddMinutes(-1))
            {
                // Its maker may have created it a moment ago and be about to take its lock, and must find it free.
                return false;
            }
            using FileStream alone = new(file, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static void TryDelete(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another user's file, or one that another process deleted: the next opening tries again.
        }
    }
}
