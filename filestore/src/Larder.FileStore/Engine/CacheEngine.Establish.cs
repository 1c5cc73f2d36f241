using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>
    /// Makes the log, the coordinator and the table agree. The caller holds the gate and the write lock. Changes nothing until the first line of the file has
    /// been validated. <paramref name="replaced"/> means that the file at the path is not the file that this cache had open, or that it was changed in place.
    /// </summary>
    private void Establish(bool replaced)
    {
        bool fresh = _coordinator.InitialiseIfOutdated();
        long committed = _coordinator.Committed;
        bool wasOpen = _timer is not null;
        SafeFileHandle? file = OpenFile.Try(Path);
        try
        {
            RequireTogether(file);
            HeaderVerdict verdict = HeaderVerdict.Good;
            LogHeader header = default;
            if (file is not null && (verdict = ReadHeader(file, out header)) != HeaderVerdict.Good)
            {
                RequireReplaceable(verdict);
            }
            _coordinator.Dirty = true;
            if (verdict != HeaderVerdict.Good)
            {
                StartNewFile(file!, verdict, committed);
            }
            else
            {
                if (wasOpen || (file is null && _coordinator.LogId != 0))
                {
                    ReportReplaced($"or its .idx file was {(file is null ? "deleted" : "replaced or edited")}; continuing with the current content");
                }
                EstablishGood(ref file, header, fresh, replaced, wasOpen);
            }
        }
        finally
        {
            if (!ReferenceEquals(file, _log))
            {
                file?.Dispose();
            }
        }
        Settle();
    }

    /// <summary>
    /// Returns a generation greater than every generation that this process has seen. An overwritten sidecar may contain a lower generation. A reused
    /// generation number would be mistaken for the earlier generation with that number.
    /// </summary>
    private long NextGeneration(long inFile = 0) =>
        Word.Next(Math.Max(Math.Max(Word.Generation(_coordinator.Committed), Word.Generation(_position)), inFile));

    /// <summary>
    /// Stores the id and the position of the open log in the coordinator, so that other processes continue with this log. Publishes the table to the readers of
    /// this process.
    /// </summary>
    private void Settle()
    {
        lock (_monitor)
        {
            _coordinator.LogId = _logId;
            Volatile.Write(ref _coordinator.Committed, _position);
            Publish(_position);
        }
        _coordinator.Dirty = false;
    }

    private void EstablishGood(ref SafeFileHandle? file, LogHeader header, bool fresh, bool replaced, bool wasOpen)
    {
        long committed = _coordinator.Committed;
        bool created = false;
        if (file is null)
        {
            CreateLog(NextGeneration(), import: fresh || _coordinator.LogId == 0);
            file = OpenFile.Try(Path);
            if (file is null || ReadHeader(file, out header) != HeaderVerdict.Good)
            {
                throw new IOException($"The cache file {Path} disappeared while it was being created; try again.");
            }
            created = true;
        }
        lock (_monitor)
        {
            bool foreign = replaced || header.Id != _coordinator.LogId || !Continues(file, header, committed);
            // The file gets a new inode if the sidecar is new, because processes that still lock an older sidecar detect the change by the inode. The file also
            // gets a new inode if the sidecar was overwritten while in use. Readers then detect that the committed lengths that they have read are no longer
            // valid.
            bool orphans = fresh && !created && (_coordinator.WasNew || wasOpen);
            if (header.Polled != IsPolled || orphans || header.Generation > Word.MaxGeneration || (!fresh && !created && foreign))
            {
                TakeOver(ref file, header, NextGeneration(header.Generation), (foreign && !fresh) || HoldsLess(file, header));
            }
            else
            {
                LoadToEnd(ref file, header);
            }
        }
    }

    /// <summary>
    /// Returns whether the file contains everything up to the committed word, so that processes that have the old file open can continue reading it.
    /// </summary>
    private static bool Continues(SafeFileHandle file, in LogHeader header, long committed) =>
        TryPlace(header, committed, out long length) && RandomAccess.GetLength(file) >= length;

    /// <summary>
    /// Returns whether <paramref name="file"/> has certainly lost lines. This is the case if the file is shorter than when it was created, or if this process
    /// has already read more of the log than the file contains. This check is needed because a truncated sidecar no longer contains the committed length.
    /// </summary>
    private bool HoldsLess(SafeFileHandle file, in LogHeader header)
    {
        long length = RandomAccess.GetLength(file);
        long read = Word.Generation(_position);
        return length < header.Snap || (_log is not null && header.Id == _logId
            && (header.Generation < read || (header.Generation == read && length < Word.Length(_position))));
    }

    /// <summary>
    /// Reads the whole file, keeps all complete lines and cuts off a torn last line. If lines are missing, the remaining lines are written under a new log id.
    /// Under the old id, processes that had read the missing lines would treat their tables as up to date, and the loss would not be reported.
    /// </summary>
    private void LoadToEnd(ref SafeFileHandle file, in LogHeader header)
    {
        long end = ReadAll(ref file, header);
        if (_isEdited || _isIncomplete)
        {
            WriteAnew(header with { Id = NewId(), Generation = NextGeneration(header.Generation), Previous = 0 });
            return;
        }
        CutTail(file, end);
        Span<byte> last = stackalloc byte[1];
        if (end > LogHeader.Bytes && RandomAccess.Read(file, last, end - 1) == 1 && last[0] != '\n')
        {
            RandomAccess.Write(file, "\n"u8, end - 1);
        }
    }

    /// <summary>
    /// Reads the file. If part of the file was read before the lock was taken, continues at the end of that part. Returns the end of the last complete line.
    /// </summary>
    private long ReadAll(ref SafeFileHandle file, in LogHeader header)
    {
        bool isRead = _isReadToEnd && _log is { IsClosed: false } && _logId == header.Id && Word.Generation(_position) == header.Generation
            && _logFacts.IsSame(FileFacts.OfOpen(file)) && RandomAccess.GetLength(file) >= Word.Length(_position);
        _isReadToEnd = false;
        if (!isRead)
        {
            return Load(file, header, long.MaxValue, TailPolicy.DamagedLinesThenTorn);
        }
        file.Dispose();
        file = _log!;
        _fileLock = file;
        long end = LogScanner.Scan(file, Word.Length(_position), long.MaxValue, _applier, TailPolicy.DamagedLinesThenTorn);
        _fileLock = null;
        _position = Word.Of(header.Generation, end);
        return end;
    }

    /// <summary>
    /// Writes the contents of the file to a new generation that does not continue any other, so that every process reads it from the start.
    /// </summary>
    private void TakeOver(ref SafeFileHandle file, in LogHeader header, long generation, bool foreign)
    {
        if (header.Polled && !IsPolled)
        {
            throw new DistributedFileStoreCacheException(
                $"The cache file {Path} is marked in its first line as shared by polling, so it cannot be opened with Coherence = Local. "
                + "Use Polled or Automatic. To use Local, move the file away when no process uses it.");
        }
        if (IsPolled && File.Exists(Path + ".idx"))
        {
            throw new DistributedFileStoreCacheException(
                $"The cache file {Path} cannot be opened with Coherence = Polled, because {Path}.idx exists. Processes share the cache, "
                + "or shared it before, through the memory of that file. "
                + $"End the processes that use the cache, delete {Path}.idx, and open the cache again.");
        }
        long length = RandomAccess.GetLength(file);
        FileFacts read = FileFacts.OfOpen(file);
        long torn = length - ReadAll(ref file, header);
        if (torn > 0)
        {
            Log.TornTail(_logger, Path, torn);
        }
        using SafeFileHandle? before = OpenFile.Try(Path);
        WriteAnew(header with { Id = foreign || _isIncomplete ? NewId() : header.Id, Polled = IsPolled, Generation = generation, Previous = 0 });
        if (before is not null && FileFacts.OfOpen(before).IsSame(read))
        {
            FollowOrphans(before, length - torn);
        }
        if (_timer is null && foreign)
        {
            Say($"The cache file {Path} was replaced, truncated or edited; continuing with the current content.");
        }
        Log.TookOver(_logger, Path, generation);
    }

    /// <summary>
    /// Copies the lines that were appended to the old file while it was being replaced, except a torn last line. Processes that still lock a deleted sidecar
    /// may append such lines.
    /// </summary>
    private void FollowOrphans(SafeFileHandle before, long from)
    {
        long end = LogScanner.Scan(before, from, long.MaxValue, _applier, TailPolicy.Torn);
        if (end > from)
        {
            byte[] lines = new byte[end - from];
            PositionedFile.Read(before, lines, from);
            PositionedFile.Write(_log!, lines, Word.Length(_position));
            if (_settings.Durability != FileStoreDurability.None)
            {
                DiskFlush.File(_log!);
            }
            _position += lines.Length;
        }
    }

    private void CreateLog(long generation, bool import)
    {
        using FileStream temporary = OpenFile.CreateNew(TemporaryPath(generation));
        try
        {
            temporary.Position = LogHeader.Bytes;
            if (import && _settings.ImportPath is { } old && File.Exists(old))
            {
                int imported = OldJsonFile.CopyTo(temporary, old, _clock);
                Log.Imported(_logger, old, imported, Path);
            }
            FinishTemporary(temporary, new LogHeader(NewId(), IsPolled, generation, 0, 0));
            RequireHeld();
            RenameOver(temporary.Name);
        }
        finally
        {
            TryDelete(temporary.Name);
        }
    }

    /// <summary>
    /// Throws if the file must not be replaced. A file of a newer version is never replaced. A file that this library did not write is replaced only if the
    /// sidecar contains a log id. The log id shows that the file has overwritten a cache file.
    /// </summary>
    private void RequireReplaceable(HeaderVerdict verdict)
    {
        if (verdict == HeaderVerdict.Newer || (verdict == HeaderVerdict.Foreign && _coordinator.LogId == 0))
        {
            string remedy = verdict == HeaderVerdict.Newer ? "Update the package" : "Move it";
            throw new DistributedFileStoreCacheException(
                $"The cache file {Path} {Describe(verdict)}. {remedy}, or choose another cache file name. The file was not changed.");
        }
    }

    private static string Describe(HeaderVerdict verdict) => verdict switch
    {
        HeaderVerdict.Empty => "is empty",
        HeaderVerdict.Foreign => "was not written by this library",
        HeaderVerdict.Newer => "was written by a newer version of this library",
        _ => "has a damaged first line",
    };
}
