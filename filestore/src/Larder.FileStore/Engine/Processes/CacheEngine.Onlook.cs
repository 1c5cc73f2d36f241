using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>
    /// The number of bytes before the read position that are compared with the file, to detect whether the file was edited instead of appended to.
    /// </summary>
    private const int RememberedBytes = 64;
    private readonly byte[] _lastRead = new byte[RememberedBytes];

    /// <summary>The length and modification time of the file at the last check.</summary>
    private (long Length, DateTime Changed) _looked;

    /// <summary>The time at which the file was first found missing. The file is missing for a short time while a writer moves an invalid file aside.</summary>
    private long? _missingSince;

    /// <summary>Throws if the cache is read-only.</summary>
    internal void RequireWritable()
    {
        if (_settings.ReadOnly)
        {
            throw new NotSupportedException($"The cache file {Path} was opened with ReadOnly and cannot be changed. Open it without ReadOnly to write.");
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
                    $"The cache file {Path} does not exist, and ReadOnly does not create it. Check the path, or open the cache without ReadOnly.");
            }
        }
        Log.Opened(_logger, Path, _set.Count, "read-only");
        StartMaintenance();
    }

    /// <summary>
    /// Checks the file and the sidecar again. Called every second, because the file may change without a signal and the sidecar may appear, disappear or be
    /// replaced. The caller holds the gate.
    /// </summary>
    private void LookAgain()
    {
        lock (_monitor)
        {
            if (!_coordinator.IsAtPath)
            {
                Retire(_coordinator);
                _coordinator = new ReadOnlyCoordinator(Path + ".idx", !MustPoll(_settings));
                _committed = _coordinator.SignalWord;
            }
            Volatile.Write(ref _seen, Word.None);
            TryCatchUp();
        }
    }

    /// <summary>Brings the table up to date with the file. The caller holds the monitor.</summary>
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
            else
            {
                _missingSince = null;
                if (!ReadsOn(file))
                {
                    LoadToRead(file);
                }
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

    private void ForgetEntries()
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
        Say($"The cache file {Path} was deleted; the cache is empty until the file is created again.");
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
            ReportReplaced("was deleted, replaced or truncated; continuing with the current content");
        }
        Remember();
    }

    /// <summary>
    /// Applies the lines that were appended to the open file. Returns false if the file at the path is a different one or was changed in another way.
    /// </summary>
    private bool ReadsOn(SafeFileHandle file)
    {
        if (_log is null || !FileFacts.OfOpen(file).IsSame(_logFacts) || !ContainsReadData(file))
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

    private bool ContainsReadData(SafeFileHandle file)
    {
        Span<byte> header = stackalloc byte[LogHeader.Bytes];
        header.Clear();
        PositionedFile.Read(file, header, 0);
        Span<byte> last = stackalloc byte[RememberedBytes];
        return header.SequenceEqual(_logHeader)
            && PositionedFile.Read(file, last, Word.Length(_position) - RememberedBytes) == RememberedBytes
            && last.SequenceEqual(_lastRead);
    }

    /// <summary>
    /// Stores the last bytes that were read. If the file is too short because its first line was edited manually, each later read reads the whole file.
    /// </summary>
    private void Remember()
    {
        if (Word.Length(_position) < RememberedBytes || PositionedFile.Read(_log!, _lastRead, Word.Length(_position) - RememberedBytes) != RememberedBytes)
        {
            _lastRead.AsSpan().Clear();
        }
    }
}
