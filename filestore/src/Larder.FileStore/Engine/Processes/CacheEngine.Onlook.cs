using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>As many bytes before the place up to which the file was read tell whether it was appended to or edited.</summary>
    private const int RememberedBytes = 64;
    private readonly byte[] _lastRead = new byte[RememberedBytes];

    /// <summary>Length and time of the file at the last look.</summary>
    private (long Length, DateTime Changed) _looked;

    /// <summary>Since when there has been no file at the path: for a moment there is none while a writer keeps one aside.</summary>
    private long? _missingSince;

    /// <summary>Refuses a change where the cache is only read.</summary>
    internal void RequireWritable()
    {
        if (_settings.ReadOnly)
        {
            throw new NotSupportedException($"The cache file {Path} was opened with ReadOnly: it can be read and not changed.");
        }
    }

    private void StartReading()
    {
        _committed = _coordinator.SignalWord;
        lock (_monitor)
        {
            Look();
            if (_log is null)
            {
                throw new DistributedFileStoreCacheException(
                    $"There is no cache file {Path}. ReadOnly opens one that is there; without it a missing one is created.");
            }
        }
        Log.Opened(_logger, Path, _set.Count, "read-only");
        StartMaintenance();
    }

    /// <summary>Each second: the file may have changed without the signal, and a sidecar come, gone or been replaced. The gate is held.</summary>
    private void LookAgain()
    {
        lock (_monitor)
        {
            if (!_coordinator.IsAtPath)
            {
                Retire(_coordinator);
                _coordinator = new Onlooker(Path + ".idx", !MustPoll(_settings));
                _committed = _coordinator.SignalWord;
            }
            Volatile.Write(ref _seen, Word.None);
            TryCatchUp();
        }
    }

    /// <summary>Brings the table up to what the file holds now. The monitor is held.</summary>
    private void Look()
    {
        long signal = Volatile.Read(ref *_coordinator.SignalWord);
        if (!IsPolled && signal == _seen)
        {
            return;
        }
        SafeFileHandle? file = OpenFile.Try(Path, toRead: true);
        try
        {
            if (file is null)
            {
                EmptyIfGone();
            }
            else if (!ReadsOn(file))
            {
                LoadToRead(file);
            }
        }
        finally
        {
            if (!ReferenceEquals(file, _log))
            {
                file?.Dispose();
            }
        }
        Volatile.Write(ref _polledAt, _clock.CoarseTick);
        Publish(signal);
    }

    private void ForgetWhatWasRead()
    {
        _logHeader.AsSpan().Clear();
        Volatile.Write(ref _seen, Word.None);
        Volatile.Write(ref _polledAt, long.MinValue / 2);
    }

    private void EmptyIfGone()
    {
        if (_log is null || _clock.Tick - (_missingSince ??= _clock.Tick) < IdentityMs)
        {
            return;
        }
        _log.Dispose();
        (_log, _set, _position) = (null, new EntrySet(_clock), 0);
        _changes++;
        Log.Replaced(_logger, Path);
        Say($"The cache file {Path} was deleted; the cache is empty until there is another.");
    }

    private void LoadToRead(SafeFileHandle file)
    {
        HeaderVerdict verdict = ReadHeader(file, out LogHeader header);
        int from = LogHeader.Bytes;
        if (verdict != HeaderVerdict.Good && !EditedFile.TryReadHeader(file, out header, out from))
        {
            throw new DistributedFileStoreCacheException($"The cache file {Path} {Describe(verdict)} and cannot be read.");
        }
        _looked = (RandomAccess.GetLength(file), File.GetLastWriteTimeUtc(file));
        bool isLess = _log is not null
            && (header.Id != _logId || (header.Generation == Word.Generation(_position) && _looked.Length < Word.Length(_position)));
        Load(file, header, long.MaxValue, TailPolicy.DamagedLinesThenTorn, from);
        if (isLess)
        {
            SayReplaced("was deleted, replaced or cut short; going on with what is there now");
        }
        Remember();
    }

    /// <summary>Applies what was appended to the open file; false where the file at the path is another one, or has been changed otherwise.</summary>
    private bool ReadsOn(SafeFileHandle file)
    {
        if (_log is null || !FileFacts.OfOpen(file).IsSame(_logFacts) || !HasWhatWasRead(file))
        {
            return false;
        }
        (long Length, DateTime Changed) now = (RandomAccess.GetLength(file), File.GetLastWriteTimeUtc(file));
        if (now.Length == _looked.Length)
        {
            return now.Changed == _looked.Changed;
        }
        (_isTrial, _isEdited) = (true, false);
        long end = LogScanner.Scan(file, Word.Length(_position), now.Length, _applier, TailPolicy.Torn);
        _isTrial = false;
        if (_isEdited)
        {
            return false;
        }
        Instruments.CaughtUp(end - Word.Length(_position));
        _position = Word.Of(Word.Generation(_position), end);
        _looked = now;
        _changes++;
        Remember();
        return true;
    }

    private bool HasWhatWasRead(SafeFileHandle file)
    {
        Span<byte> header = stackalloc byte[LogHeader.Bytes];
        header.Clear();
        PositionedFile.Read(file, header, 0);
        Span<byte> last = stackalloc byte[RememberedBytes];
        return header.SequenceEqual(_logHeader)
            && PositionedFile.Read(file, last, Word.Length(_position) - RememberedBytes) == RememberedBytes
            && last.SequenceEqual(_lastRead);
    }

    /// <summary>A file has at least its first line, which is longer, unless a person made that shorter: such a file is read as a whole each time.</summary>
    private void Remember()
    {
        _missingSince = null;
        if (Word.Length(_position) < RememberedBytes || PositionedFile.Read(_log!, _lastRead, Word.Length(_position) - RememberedBytes) != RememberedBytes)
        {
            _lastRead.AsSpan().Clear();
        }
    }
}
