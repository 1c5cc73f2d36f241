using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private const int MostAttempts = 50;
    private long _polledAt = long.MinValue / 2;
    private long _readFaults;

    /// <summary>Reads of the file that failed in a row; 0 when all is well.</summary>
    internal long ReadFaults => Volatile.Read(ref _readFaults);

    /// <summary>
    /// <see cref="CatchUp"/> without exceptions but that of a closed cache, and again while a change in progress keeps it from what was committed: in place of
    /// a file that was harmed comes another within a moment. The monitor is held.
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
            else if (Stopwatch.GetElapsedTime(start) > _settings.ReadPatience)
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

    /// <summary>False with the reason, and whether the moment is to blame.</summary>
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
            why = "it does not hold all that was committed to it.";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException or ObjectDisposedException)
        {
            why = e.Message;
        }
        isMoment = IsChangedMeanwhile(word);
        return false;
    }

    /// <summary>
    /// Whether a writer is at work on the file, or has committed something since <paramref name="word"/>: then the moment was to blame, and not the file. Where
    /// that writer is dead, the next look (each second) finishes its work.
    /// </summary>
    private bool IsChangedMeanwhile(long word) => _coordinator.Dirty || Volatile.Read(ref _coordinator.Committed) != word;

    /// <summary>
    /// Applies what was committed when it was called; false where the file is inconsistent at the moment. Writers that go on are not run after: there might be
    /// no end to it. The monitor is held.
    /// </summary>
    private bool CatchUp()
    {
        for (int attempt = 0; attempt < MostAttempts; attempt++)
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

    /// <summary>Within the committed length all was written once; in polled mode nothing says so.</summary>
    private TailPolicy Acknowledged => _coordinator.IsPolled ? TailPolicy.Torn : TailPolicy.Damaged;

    /// <summary>Applies the lines of the open log up to <paramref name="length"/>; false if they are not all there.</summary>
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
            // What follows the last good line may be a write in progress: it is looked at again next time.
            Volatile.Write(ref _coordinator.Committed, _position);
        }
        Instruments.CaughtUp(end - from);
        return end == length || _coordinator.IsPolled;
    }

    /// <summary>
    /// Goes over to the file at the path after a compaction, by what it has more than the old one where that is known, else by reading all of it.
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
            // It may be open as the log by now, and cut short all the same.
            if (!ReferenceEquals(file, _log))
            {
                file.Dispose();
            }
        }
    }

    /// <summary>
    /// How far the file has to be read for the committed <paramref name="word"/>: to its length, or, where a compaction was renamed over
    /// but not committed yet (its process may be stopped), to the snapshot's end, which is equivalent.
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
            SayBegunAnew();
        }
        return true;
    }

    /// <summary>
    /// Whether the file was compacted from fewer lines of the open log than this process has read: in polled mode a compactor takes what follows a hole for
    /// a write in progress.
    /// </summary>
    private bool IsCompactedWithLess(in LogHeader header) => header.Previous > 0 && header.Previous < Word.Length(_position)
        && header.Generation == Word.Next(Word.Generation(_position));

    /// <summary>Reads a whole file, its lines beginning at <paramref name="from"/>, into a fresh table; returns the end of what was read.</summary>
    private long Load(SafeFileHandle file, in LogHeader header, long length, TailPolicy tail, long from = LogHeader.Bytes)
    {
        (EntrySet before, bool wasIncomplete) = (_set, _isIncomplete);
        _set = new EntrySet(_clock);
        (_wholeFile, _isEdited, _isIncomplete) = (file, false, false);
        try
        {
            long end = LogScanner.Scan(file, from, length, _applier, tail);
            if (tail == TailPolicy.Damaged && end != length)
            {
                throw new EndOfStreamException($"The cache file {Path} is shorter, or holds less, than what was committed to it.");
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
            _wholeFile = null;
        }
    }

    private void Adopt(SafeFileHandle file, in LogHeader header, long length)
    {
        _log?.Dispose();
        _log = file;
        _logFacts = FileFacts.OfOpen(file);
        // A person may have made it shorter.
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

    /// <summary>Polled mode: looks at the file for its generation and length.</summary>
    private void Poll()
    {
        SafeFileHandle? file = OpenFile.Try(Path);
        try
        {
            if (file is null || ReadHeader(file, out LogHeader header) != HeaderVerdict.Good)
            {
                throw new IOException($"The cache file {Path} is missing or has no valid first line.");
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

    /// <summary>Of a file that was deleted and begun anew the generations count from the first again; a copy of it has its first line.</summary>
    private bool IsAnother(SafeFileHandle file, in LogHeader header, long length) =>
        header.Id != _logId || (length >= Word.Length(_position) && !FileFacts.OfOpen(file).IsSame(_logFacts));

    private static HeaderVerdict ReadHeader(SafeFileHandle file, out LogHeader header)
    {
        Span<byte> line = stackalloc byte[LogHeader.Bytes];
        int read = RandomAccess.Read(file, line, 0);
        return LogHeader.Read(line[..read], out header);
    }

    /// <summary>Applies lines to the table, and undoes what damaged ones may have said.</summary>
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
