namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// If the system clock moved by more than this relative to the monotonic clock since the last check, the system clock was set. A smaller difference is a
    /// gradual correction.
    /// </summary>
    private const long ClockSetMs = 500;
    private long _clockOffset;

    /// <summary>
    /// Reads the file again if the system clock was set. Expirations are stored in system time in the file and in monotonic time in the table. Reading the file
    /// again makes running processes agree with processes that open the file later.
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
        // Write the deadlines that this process's reads have moved, because they exist only in this process's memory.
        FlushTouches(all: true);
        if (!TryEnterGate())
        {
            // A writer is active. The next check tries again.
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
