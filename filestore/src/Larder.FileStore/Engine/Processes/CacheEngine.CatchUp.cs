using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private const int MaxAttempts = 50;
    private long _polledAt = long.MinValue / 2;
    private long _readFaults;

    /// <summary>Gets the number of consecutive failed reads of the file; 0 if the last read succeeded.</summary>
    internal long ReadFaults => Volatile.Read(ref _readFaults);

    /// <summary>
    /// Calls <see cref="CatchUp"/> and converts exceptions to a fault, except the exception for a closed cache. Retries while a change in progress prevents the
    /// read of the committed contents, because a damaged file is usually replaced within a few milliseconds. The caller holds the monitor.
    /// </summary>
    private bool TryCatchUp()
    {
        ThrowIfDisposed();
        long start = 0;
        string why;
        while (!TryCatchUpOnce(out bool isMoment, out why) && isMoment && _readFaults == 0)
        {
            if (start == 0)
            {
                start = Stopwatch.GetTimestamp();
            }
            else if (Stopwatch.GetElapsedTime(start) > _settings.ReadTimeout)
            {
                break;
            }
            Thread.Sleep(_coordinator.Dirty ? 1 : 0);
        }
        if (why.Length == 0)
        {
            Volatile.Write(ref _readFaults, 0);
            return true;
        }
        if (_readFaults == 0)
        {
            Log.CannotRead(_logger, Path, why);
            Say($"The cache file {Path} could not be read: {why}");
        }
        Volatile.Write(ref _readFaults, _readFaults + 1);
        return false;
    }

    /// <summary>Returns whether the read succeeded. If not, also returns the reason, and whether a concurrent change caused the failure.</summary>
    private bool TryCatchUpOnce(out bool isMoment, out string why)
    {
        long word = Volatile.Read(ref _coordinator.Committed);
        (isMoment, why) = (false, "");
        try
        {
            if (_settings.ReadOnly)
            {
                Look();
                return true;
            }
            if (_coordinator.IsPolled)
            {
                Poll();
                word = _coordinator.Committed;
            }
            if (CatchUp())
            {
                return true;
            }
            why = "The file does not contain all committed data.";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException or ObjectDisposedException)
        {
            why = e.Message;
        }
        isMoment = IsChangedMeanwhile(word);
        return false;
    }

    /// <summary>
    /// Returns whether a writer is changing the file, or has committed since <paramref name="word"/>. In that case, the failure of a read is temporary, and the
    /// file is not damaged. If that writer has died, the next check (within a second) repairs the write of the dead process.
    /// </summary>
    private bool IsChangedMeanwhile(long word) => _coordinator.Dirty || Volatile.Read(ref _coordinator.Committed) != word;

    /// <summary>
    /// Applies what was committed before the call. Returns false if the file is currently inconsistent. Does not apply later commits, because with active
    /// writers the call might never end. The caller holds the monitor.
    /// </summary>
    private bool CatchUp()
    {
        for (int attempt = 0; attempt < MaxAttempts; attempt++)
        {
            long word = Volatile.Read(ref _coordinator.Committed);
            if (word == _position || word == _seen)
            {
                Publish(word);
                return true;
            }
            if (Word.Generation(word) == 0)
            {
                return false;
            }
            if (_log is not null && Word.Generation(word) == Word.Generation(_position))
            {
                if (!ReadOn(Word.Length(word)))
                {
                    return false;
                }
                Publish(_position);
                return true;
            }
            if (SwitchGeneration(word))
            {
                return true;
            }
            Thread.SpinWait(100);
            if (_coordinator.IsPolled)
            {
                Poll();
            }
        }
        return false;
    }

    /// <summary>
    /// Gets the policy for invalid bytes at the end of a range. Bytes within the committed length were once written completely, so they must be damaged. Polled
    /// mode has no committed length to rely on, so the bytes may belong to a write in progress.
    /// </summary>
    private TailPolicy Acknowledged => _coordinator.IsPolled ? TailPolicy.Torn : TailPolicy.Damaged;

    /// <summary>Applies the lines of the open log up to <paramref name="length"/>. Returns false if some of them are missing.</summary>
    private bool ReadOn(long length)
    {
        long from = Word.Length(_position);
        if (length < from)
        {
            return false;
        }
        long end = LogScanner.Scan(_log!, from, length, _applier, Acknowledged);
        _position = Word.Of(Word.Generation(_position), end);
        if (_coordinator.IsPolled)
        {
            // The bytes after the last valid line may belong to a write in progress. The next read reads these bytes again.
            Volatile.Write(ref _coordinator.Committed, _position);
        }
        Instruments.CaughtUp(end - from);
        return end == length || _coordinator.IsPolled;
    }

    /// <summary>
    /// Switches to the file at the path after a compaction. Reads only the difference from the old file if the difference is known, otherwise the whole file.
    /// </summary>
    private bool SwitchGeneration(long word)
    {
        SafeFileHandle? file = OpenFile.Try(Path);
        if (file is null)
        {
            return false;
        }
        try
        {
            if (ReadHeader(file, out LogHeader header) != HeaderVerdict.Good || !TryPlace(header, word, out long length) || !SwitchTo(file, header, length))
            {
                return false;
            }
            Publish(word);
            return true;
        }
        catch (EndOfStreamException)
        {
            return false;
        }
        finally
        {
            // If the file has become the open log, it must stay open, even if the switch failed because the end of the file is missing.
            if (!ReferenceEquals(file, _log))
            {
                file.Dispose();
            }
        }
    }

    /// <summary>
    /// Determines how far the file must be read for the committed <paramref name="word"/>. Normally this is the committed length. If a compaction has renamed
    /// its new file to the path but has not committed the file yet, it is the end of the snapshot in that file, which is equivalent to the committed contents.
    /// Readers do not wait for the commit, because the process that compacts may be stalled. Returns false if the file does not match the word.
    /// </summary>
    private static bool TryPlace(in LogHeader header, long word, out long length)
    {
        length = Word.Length(word);
        if (header.Generation == Word.Generation(word))
        {
            return true;
        }
        bool isEquivalent = header.Generation == Word.Next(Word.Generation(word)) && header.Previous == length;
        length = header.Snap;
        return isEquivalent;
    }

    private bool SwitchTo(SafeFileHandle file, in LogHeader header, long length)
    {
        _damagedInFile = false;
        bool isNext = _log is not null && header.Id == _logId && header.Generation == Word.Next(Word.Generation(_position))
            && header.Previous >= Word.Length(_position);
        if (isNext && LogScanner.Scan(_log!, Word.Length(_position), header.Previous, _applier, TailPolicy.Damaged) == header.Previous)
        {
            Purge();
            Adopt(file, header, header.Snap);
            return ReadOn(length);
        }
        bool isLess = _log is not null && (header.Id != _logId || IsCompactedWithLess(header));
        Load(file, header, length, Acknowledged);
        if (isLess)
        {
            ReportNewFile();
        }
        return true;
    }

    /// <summary>
    /// Returns whether the file was compacted from fewer lines than this process has read from the open log. In polled mode, a process that compacts a log with
    /// a hole omits the lines after the hole, because it treats them as a write in progress.
    /// </summary>
    private bool IsCompactedWithLess(in LogHeader header) => header.Previous > 0 && header.Previous < Word.Length(_position)
        && header.Generation == Word.Next(Word.Generation(_position));

    /// <summary>
    /// Reads a whole file, whose lines begin at <paramref name="from"/>, into a new table. Returns the end of the contents read.
    /// </summary>
    private long Load(SafeFileHandle file, in LogHeader header, long length, TailPolicy tail, long from = LogHeader.Bytes)
    {
        (EntrySet before, bool wasIncomplete) = (_set, _isIncomplete);
        _set = new EntrySet(_clock);
        (_fileLock, _isEdited, _isIncomplete) = (file, false, false);
        try
        {
            long end = LogScanner.Scan(file, from, length, _applier, tail);
            if (tail == TailPolicy.Damaged && end != length)
            {
                throw new EndOfStreamException($"Committed data is missing from the cache file {Path}.");
            }
            Purge();
            Adopt(file, header, end);
            return end;
        }
        catch
        {
            (_set, _isIncomplete) = (before, wasIncomplete);
            throw;
        }
        finally
        {
            _fileLock = null;
        }
    }

    private void Adopt(SafeFileHandle file, in LogHeader header, long length)
    {
        _log?.Dispose();
        _log = file;
        _logFacts = FileFacts.OfOpen(file);
        // The first line may be shorter than usual if the file was edited manually.
        _logHeader.AsSpan().Clear();
        _ = RandomAccess.Read(file, _logHeader, 0);
        _logId = header.Id;
        _position = Word.Of(header.Generation, length);
    }

    private void Publish(long word)
    {
        if (word != _published || !ReferenceEquals(_slots, _set.Slots))
        {
            _published = word;
            _changes++;
        }
        Volatile.Write(ref _slots, _set.Slots);
        Volatile.Write(ref _seen, _coordinator.IsPolled ? Word.None : word);
    }

    /// <summary>Reads the generation and the length from the file. Used in polled mode.</summary>
    private void Poll()
    {
        SafeFileHandle? file = OpenFile.Try(Path);
        try
        {
            if (file is null || ReadHeader(file, out LogHeader header) != HeaderVerdict.Good)
            {
                throw new IOException($"The cache file {Path} is missing or has an invalid first line.");
            }
            long length = RandomAccess.GetLength(file);
            if (_log is not null && header.Generation == Word.Generation(_position) && IsAnother(file, header, length))
            {
                SwitchTo(file, header, long.MaxValue);
            }
            Volatile.Write(ref _coordinator.Committed, Word.Of(header.Generation, length));
            Volatile.Write(ref _polledAt, _clock.CoarseTick);
        }
        finally
        {
            if (!ReferenceEquals(file, _log))
            {
                file?.Dispose();
            }
        }
    }

    /// <summary>
    /// Returns whether the file is a different file with the same generation. This is possible because generations restart when a file is deleted and
    /// recreated, and because a copy of a file has the same first line.
    /// </summary>
    private bool IsAnother(SafeFileHandle file, in LogHeader header, long length) =>
        header.Id != _logId || (length >= Word.Length(_position) && !FileFacts.OfOpen(file).IsSame(_logFacts));

    private static HeaderVerdict ReadHeader(SafeFileHandle file, out LogHeader header)
    {
        Span<byte> line = stackalloc byte[LogHeader.Bytes];
        int read = RandomAccess.Read(file, line, 0);
        return LogHeader.Read(line[..read], out header);
    }

    /// <summary>Applies lines to the table, and undoes the possible effects of damaged lines.</summary>
    private sealed class Applier(CacheEngine engine) : LogVisitor
    {
        internal override void Accept(ref RecordReader record, long offset)
        {
            while (record.Next(out Operation operation))
            {
                engine._set.Apply(operation);
            }
        }

        internal override void Damaged(ReadOnlySpan<byte> region, long offset) => engine.ApplyEditedOrUndo(region, offset);
    }
}
