namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// If the system clock moved by more than this relative to the monotonic clock since the last check, it was set rather than slewed.
    /// </summary>
    private const long ClockSetMs = 500;
    private long _clockOffset;

    /// <summary>
    /// Expirations are stored in system time in the file and in monotonic time in the table. If the system clock was set, the file is read again, so that
    /// running processes and processes that open the file later agree.
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
        // Only this process knows the deadlines that its reads have moved.
        FlushTouches(all: true);
        if (!TryEnterGate())
        {
            // The next check follows soon.
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
                ForgetEntries();
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
