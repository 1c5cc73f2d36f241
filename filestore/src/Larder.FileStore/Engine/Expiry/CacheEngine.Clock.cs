namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// The system's clock is taken for set, and not for steered, when it moved by more than this against the monotonic one since the last look.
    /// </summary>
    private const long ClockSetMs = 500;
    private long _clockOffset;

    /// <summary>
    /// The file says by the system's clock when an entry ends; the table, by the monotonic one. Where the clock was set, the file is read
    /// again, so that processes that run and processes that open it agree.
    /// </summary>
    private void FollowClock()
    {
        long offset = _clock.UtcMs - _clock.Tick;
        long step = offset - _clockOffset;
        if (Math.Abs(step) <= ClockSetMs)
        {
            _clockOffset = offset;
            return;
        }
        // Where reads moved sliding entries to is known to this process alone.
        FlushTouches(all: true);
        if (!TryEnterGate())
        {
            // The next look comes soon.
            return;
        }
        try
        {
            ReadAgain(offset, step);
        }
        finally
        {
            _gate.Exit();
        }
    }

    private void ReadAgain(long offset, long step)
    {
        lock (_monitor)
        {
            if (_settings.ReadOnly)
            {
                _clockOffset = offset;
                ForgetWhatWasRead();
                TryCatchUp();
                Log.ClockSet(_logger, Path, step);
                return;
            }
            if (!TryCatchUp() || OpenFile.Try(Path) is not { } file)
            {
                return;
            }
            bool taken = false;
            try
            {
                if (ReadHeader(file, out LogHeader header) == HeaderVerdict.Good && header.Generation == Word.Generation(_position))
                {
                    Load(file, header, Word.Length(_position), Acknowledged);
                    taken = true;
                    _clockOffset = offset;
                    _changes++;
                    Volatile.Write(ref _slots, _set.Slots);
                    Log.ClockSet(_logger, Path, step);
                }
            }
            finally
            {
                if (!taken)
                {
                    file.Dispose();
                }
            }
        }
    }
}
