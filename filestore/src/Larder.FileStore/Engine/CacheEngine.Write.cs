using System.Diagnostics;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private static readonly Task<bool> True = Task.FromResult(true);
    private static readonly Task<bool> False = Task.FromResult(false);

    /// <summary>Makes a change; false where it had nothing to write. Waits for other writers at most <see cref="FileStoreSettings.LockTimeout"/>.</summary>
    internal bool Write<T>(ref T mutation)
        where T : struct, IMutation
    {
        ThrowIfDisposed();
        RecordBuffer buffer = RecordBuffer.OfThread();
        mutation.Encode(buffer, _clock);
        if (!_gate.TryEnter(_settings.LockTimeout))
        {
            throw Busy("another thread of this process");
        }
        try
        {
            ThrowIfDisposed();
            CheckIdentityIfDue();
            WaitForLock();
            try
            {
                return Commit(ref mutation, buffer);
            }
            finally
            {
                _coordinator.Unlock();
            }
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>As <see cref="Write"/>, without holding a thread while other writers are waited for.</summary>
    internal Task<bool> WriteAsync<T>(T mutation, CancellationToken token)
        where T : struct, IMutation
    {
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled<bool>(token);
        }
        try
        {
            return TryWriteNow(ref mutation, out bool changed) ? (changed ? True : False) : WriteLaterAsync(mutation, token);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return Task.FromException<bool>(e);
        }
    }

    private async Task<bool> WriteLaterAsync<T>(T mutation, CancellationToken token)
        where T : struct, IMutation
    {
        long start = Stopwatch.GetTimestamp();
        for (int delayMs = 1; ; delayMs = Math.Min(delayMs * 2, 16))
        {
            await Task.Delay(delayMs, token).ConfigureAwait(false);
            if (TryWriteNow(ref mutation, out bool changed))
            {
                Instruments.Waited(Stopwatch.GetElapsedTime(start));
                return changed;
            }
            if (Stopwatch.GetElapsedTime(start) > _settings.LockTimeout)
            {
                throw Busy(_coordinator.Holder);
            }
        }
    }

    /// <summary>Makes the change if no other writer is at work; false otherwise. Never waits.</summary>
    private bool TryWriteNow<T>(ref T mutation, out bool changed)
        where T : struct, IMutation
    {
        ThrowIfDisposed();
        changed = false;
        RecordBuffer buffer = RecordBuffer.OfThread();
        mutation.Encode(buffer, _clock);
        if (!_gate.TryEnter())
        {
            return false;
        }
        try
        {
            ThrowIfDisposed();
            CheckIdentityIfDue();
            if (!TryLockBriefly())
            {
                return false;
            }
            try
            {
                changed = Commit(ref mutation, buffer);
                return true;
            }
            finally
            {
                _coordinator.Unlock();
            }
        }
        finally
        {
            _gate.Exit();
        }
    }

    private bool TryLockBriefly()
    {
        for (int attempt = 0; attempt < 20; attempt++)
        {
            if (_coordinator.TryLock())
            {
                return true;
            }
            Thread.SpinWait(20);
        }
        return false;
    }

    /// <summary>Spins, yields, then sleeps 50 µs to 1 ms between attempts: a write takes 2 µs, a stopped writer for ever.</summary>
    private void WaitForLock()
    {
        if (TryLockBriefly())
        {
            return;
        }
        long start = Stopwatch.GetTimestamp();
        for (int attempt = 0; !_coordinator.TryLock(); attempt++)
        {
            if (Stopwatch.GetElapsedTime(start) > _settings.LockTimeout)
            {
                throw Busy(_coordinator.Holder);
            }
            Pause(attempt);
        }
        Instruments.Waited(Stopwatch.GetElapsedTime(start));
    }

    private static void Pause(int attempt)
    {
        if (OperatingSystem.IsWindows())
        {
            Thread.Sleep(1);
        }
        else if (attempt < 50)
        {
            _ = NativeMethods.Yield();
        }
        else
        {
            _ = NativeMethods.SleepMicroseconds((uint)Math.Min(50 + (attempt - 50) * 10, 1000));
        }
    }

    /// <summary>The change itself, the gate and the write lock held.</summary>
    private bool Commit<T>(ref T mutation, RecordBuffer buffer)
        where T : struct, IMutation
    {
        _victims = null;
        RepairIfDirty();
        long before;
        lock (_monitor)
        {
            if (!(_coordinator.IsPolled ? TryCatchUp() : CatchUp()) || _position != _coordinator.Committed)
            {
                throw new IOException($"The cache file {Path} does not agree with {Path}.idx at the moment; the next write looks again.");
            }
            Purge();
            if (!mutation.Decide(_set))
            {
                Publish(Volatile.Read(ref _coordinator.Committed));
                return false;
            }
            MakeRoom(ref mutation, buffer);
            before = _position;
        }
        Append(buffer, before);
        lock (_monitor)
        {
            if (_position == before)
            {
                MakeRoomInMemory();
                mutation.Apply(_set);
                _position += buffer.Length;
            }
            else
            {
                // Polled mode: a read on another thread came by and has taken the line from the file, or a part of what was written.
                ReadOn(Word.Length(before) + buffer.Length);
            }
            Volatile.Write(ref _coordinator.Committed, _position);
            Publish(_position);
        }
        _coordinator.Dirty = false;
        Instruments.Wrote(buffer.Length);
        if (IsCompactionDue)
        {
            ScheduleCompaction();
        }
        return true;
    }

    private void Append(RecordBuffer buffer, long position)
    {
        long offset = Word.Length(position);
        if (offset + buffer.Length > Word.MostLength || !_coordinator.StillHeld)
        {
            throw new IOException($"The cache file {Path} has reached 1 TB, or its write lock was taken away from this process after a long pause.");
        }
        _coordinator.Dirty = true;
        try
        {
            if (_coordinator.IsPolled && RandomAccess.GetLength(_log!) > offset)
            {
                RandomAccess.SetLength(_log!, offset);
            }
            RandomAccess.Write(_log!, buffer.Written, offset);
            if (_settings.Durability == FileStoreDurability.EveryWrite || _coordinator.IsPolled)
            {
                DiskFlush.File(_log!);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            TakeBack(offset);
            throw new IOException($"The cache file {Path} could not be written: {e.Message} Nothing was changed.", e);
        }
    }

    /// <summary>Removes what a failed write left. It stays marked dirty: the next writer verifies the file before it writes.</summary>
    private void TakeBack(long length)
    {
        try
        {
            RandomAccess.SetLength(_log!, length);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Log.CannotTakeBack(_logger, Path, e.Message);
        }
    }

    /// <summary>Holds the write lock until disposed of: what a stopped writer does.</summary>
    internal IDisposable HoldLock()
    {
        WaitForLock();
        return new HeldLock(_coordinator);
    }

    private sealed class HeldLock(Coordinator coordinator) : IDisposable
    {
        public void Dispose() => coordinator.Unlock();
    }

    private DistributedFileStoreCacheException Busy(string holder) => new(
        $"The write lock of {Path} was not free within {_settings.LockTimeout.TotalMilliseconds} ms; it was last taken by {holder}, which may be stopped. "
        + "Nothing was changed; reads go on. Try again, raise LockTimeout, or end that process.", new TimeoutException());
}
