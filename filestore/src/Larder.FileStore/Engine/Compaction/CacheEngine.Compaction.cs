using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>The maximum number of bytes that are copied under the write lock. Copying 32 KB takes about 20 µs.</summary>
    private const int MaxCopiedUnderLock = 32 * 1024;

    /// <summary>The lock that this cache holds while it compacts the file. Disposing the cache waits for this lock.</summary>
    private readonly Lock _compactor = new();
    private bool _isCompacting;
    private long _compactionFailedAt = long.MinValue / 2;

    /// <summary>Gets the number of compactions by this process.</summary>
    internal long Compactions { get; private set; }

    private bool IsCompactionDue =>
        FileBytes > _settings.CompactionFloorBytes && FileBytes > 2 * (_set.LiveBytes + LogHeader.Bytes);

    /// <summary>
    /// Gets whether the periodic sweep must compact the file. Unlike <see cref="IsCompactionDue"/>, this property is also true for small files and for files
    /// with damaged lines. Without damage, more than half of the file must be dead. Therefore compactions write, in total, no more bytes than were appended.
    /// </summary>
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
            // Another process may have compacted first. In that case, a compaction is no longer due.
            Compact(onlyIfDue: true, claim: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            CompactionFailed(e.Message);
        }
        catch (ObjectDisposedException)
        {
            // The cache was closed concurrently.
        }
    }

    /// <summary>
    /// Writes the live entries to a new file and renames that file over the old file. Writers wait only while the last 32 KB are copied. Returns false if
    /// another process is compacting or has compacted first.
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
        // Keep the coordinator in a local variable, because _coordinator may be replaced during the compaction. The claim must be released on the object that
        // granted it.
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
            // Other threads may change the slots to newer values at the same time. Replaying the lines written since the start of the compaction still produces
            // the correct values.
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
            // The folder was replaced or deleted concurrently, so the file being compacted is no longer in use.
            return false;
        }
        finally
        {
            TryDelete(temporaryPath);
        }
    }

    /// <summary>
    /// Copies the lines that were committed since the copy began. Stops when few bytes are left. Returns false if another compaction finished first.
    /// </summary>
    private bool CopyTail(SafeFileHandle log, FileStream temporary, long generation, ref long copied)
    {
        while (true)
        {
            long committed = Volatile.Read(ref _coordinator.Committed);
            if (Word.Generation(committed) != generation)
            {
                return false;
            }
            if (Word.Length(committed) - copied < MaxCopiedUnderLock)
            {
                return true;
            }
            try
            {
                CopyLines(log, temporary, ref copied, Word.Length(committed));
            }
            catch (EndOfStreamException) when (IsChangedMeanwhile(committed))
            {
                // The file was cleared in place or recreated, so there is nothing left to compact.
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
                // Lines never contain a zero byte, so zero bytes are a hole. A copied hole would become ordinary zero bytes, which the later check for holes
                // could not detect.
                if (read == 0 || block.AsSpan(0, read).Contains((byte)0))
                {
                    throw new EndOfStreamException("Committed data is missing from the cache file.");
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
                if (!TryAgreeOnFile() || Word.Generation(_position) != generation || !ReferenceEquals(log, _log))
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

    /// <summary>
    /// Writes the first line last, because it contains the length of the file. Flushes the file in polled mode, or if the durability setting requires it.
    /// </summary>
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
        // Write the entries in insertion order, because a process that reads the file restores the order from it.
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
    /// Deletes temporary files that killed processes left behind. A file that is still being written is recognized by the lock that .NET holds on every open
    /// file.
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
                // A process may have created the file a moment ago and be about to lock it. Opening the file here would make that lock fail.
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
            // The file belongs to another user or was deleted by another process. It is deleted when the cache is next opened, if it still exists.
        }
    }
}
