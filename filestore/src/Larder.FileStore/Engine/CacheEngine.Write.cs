using System.Diagnostics;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private static readonly Task<bool> True = Task.FromResult(true);
    private static readonly Task<bool> False = Task.FromResult(false);

    /// <summary>True while a change of several entries is being applied to the table.</summary>
    private bool _applying;

    /// <summary>
    /// Applies a change. Returns false if there was nothing to write. Waits for other writers for at most <see cref="FileStoreSettings.LockTimeout"/>.
    /// </summary>
    internal bool Write<T>(ref T mutation)
        where T : struct, IMutation
    {
        ThrowIfDisposed();
        RequireWritable();
        RecordBuffer buffer = Encode(ref mutation);
        bool changed = WriteInTurn(ref mutation, buffer);
        if (changed)
        {
            Wrote(buffer);
        }
        if (IsFarTooLong)
        {
            KeepBound();
        }
        return changed;
    }

    private void Wrote(RecordBuffer buffer)
    {
        Instruments.Wrote(buffer.Length);
        if (IsCompactionDue)
        {
            ScheduleCompaction();
        }
    }

    private RecordBuffer Encode<T>(ref T mutation)
        where T : struct, IMutation
    {
        RecordBuffer buffer = RecordBuffer.OfThread();
        mutation.Encode(buffer, _clock);
        return buffer.Length <= _settings.MaxLineBytes ? buffer : throw RecordBuffer.TooLong(buffer.Length, _settings.MaxLineBytes);
    }

    private bool WriteInTurn<T>(ref T mutation, RecordBuffer buffer)
        where T : struct, IMutation
    {
        WarmUpOnce();
        long start = 0;
        if (!_gate.TryEnter())
        {
            start = Stopwatch.GetTimestamp();
            if (!_gate.TryEnter(_settings.LockTimeout))
            {
                throw Busy("another thread of this process");
            }
        }
        try
        {
            ThrowIfDisposed();
            CheckIdentityIfDue();
            ReadNewRecords();
            while (true)
            {
                WaitForLock(start);
                try
                {
                    if (TryAgreeOnFile())
                    {
                        return Commit(ref mutation, buffer);
                    }
                }
                finally
                {
                    _coordinator.Unlock();
                }
                start = start == 0 ? Stopwatch.GetTimestamp() : start;
                RecoverSidecar(start);
            }
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>
    /// Reads the new lines of other processes. Called before this process takes the lock, so that only the most recent lines must be read under the lock.
    /// </summary>
    private void ReadNewRecords()
    {
        if (!IsPolled && Volatile.Read(ref _coordinator.Committed) != Volatile.Read(ref _seen))
        {
            Refresh();
        }
    }

    /// <summary>
    /// Recovers after the sidecar, or its folder, was deleted or replaced. Other processes may already be locking a different sidecar.
    /// </summary>
    private void RecoverSidecar(long start)
    {
        if (!Recover(_settings.LockTimeout - Stopwatch.GetElapsedTime(start)))
        {
            throw Busy("a process that uses a new .idx file");
        }
        if (!_coordinator.IsAtPath)
        {
            if (Stopwatch.GetElapsedTime(start) > _settings.LockTimeout)
            {
                throw Busy(_coordinator.Holder);
            }
            Thread.Sleep(1);
        }
    }

    /// <summary>Like <see cref="Write"/>, but does not block a thread while it waits for other writers.</summary>
    internal Task<bool> WriteAsync<T>(T mutation, CancellationToken token)
        where T : struct, IMutation
    {
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled<bool>(token);
        }
        try
        {
            if (!TryWriteNow(ref mutation, out bool changed))
            {
                return WriteLaterAsync(mutation, token);
            }
            return IsFarTooLong ? KeepBoundAsync(changed) : changed ? True : False;
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
                return IsFarTooLong ? await KeepBoundAsync(changed).ConfigureAwait(false) : changed;
            }
            if (Stopwatch.GetElapsedTime(start) > _settings.LockTimeout)
            {
                throw Busy(_coordinator.Holder);
            }
        }
    }

    /// <summary>Applies the change and returns true if no other writer is active; otherwise returns false. Never waits.</summary>
    private bool TryWriteNow<T>(ref T mutation, out bool changed)
        where T : struct, IMutation
    {
        ThrowIfDisposed();
        RequireWritable();
        changed = false;
        RecordBuffer buffer = Encode(ref mutation);
        bool isDone = TryWriteNow(ref mutation, buffer, ref changed);
        if (changed)
        {
            Wrote(buffer);
        }
        return isDone;
    }

    private bool TryWriteNow<T>(ref T mutation, RecordBuffer buffer, ref bool changed)
        where T : struct, IMutation
    {
        WarmUpOnce();
        if (!_gate.TryEnter())
        {
            return false;
        }
        try
        {
            ThrowIfDisposed();
            CheckIdentityIfDue();
            ReadNewRecords();
            if (!TryLockBriefly())
            {
                return false;
            }
            try
            {
                if (TryAgreeOnFile())
                {
                    changed = Commit(ref mutation, buffer);
                    return true;
                }
            }
            finally
            {
                _coordinator.Unlock();
            }
            Recover(TimeSpan.Zero);
            return false;
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

    /// <summary>
    /// Takes the write lock. Waits for other writers for at most the rest of the timeout that began at the timestamp <paramref name="start"/>. The value 0
    /// means that the timeout begins now.
    /// </summary>
    private void WaitForLock(long start)
    {
        if (_coordinator.TryLockAtOnce())
        {
            return;
        }
        long began = Stopwatch.GetTimestamp();
        TimeSpan spent = start == 0 ? TimeSpan.Zero : Stopwatch.GetElapsedTime(start, began);
        if (!_coordinator.TryLock(_settings.LockTimeout - spent))
        {
            throw Busy(_coordinator.Holder);
        }
        Instruments.Waited(Stopwatch.GetElapsedTime(began));
    }

    /// <summary>Writes and applies the change. The caller holds the gate and the write lock, and the table agrees with the file.</summary>
    private bool Commit<T>(ref T mutation, RecordBuffer buffer)
        where T : struct, IMutation
    {
        _victims = null;
        long before;
        lock (_monitor)
        {
            Purge();
            if (!mutation.Decide(_set))
            {
                Publish(Volatile.Read(ref _coordinator.Committed));
                return false;
            }
            MakeRoom(ref mutation, buffer);
            before = _position;
        }
        try
        {
            Append(buffer, before);
        }
        catch (IOException) when (mutation.ClearsAll && !IsPolled)
        {
            ClearInPlace();
            return true;
        }
        lock (_monitor)
        {
            if (_position == before)
            {
                if (mutation.Count > 1)
                {
                    // Reads wait at the monitor until the whole change has been applied.
                    Volatile.Write(ref _applying, true);
                    Volatile.Write(ref _seen, Word.None);
                }
                MakeRoomInMemory();
                mutation.Apply(_set);
                _position += buffer.Length;
            }
            else
            {
                // This happens in polled mode if a read on another thread has already applied all or part of the written line from the file.
                ReadOn(Word.Length(before) + buffer.Length);
            }
            Volatile.Write(ref _coordinator.Committed, _position);
            Publish(_position);
            _applying = false;
        }
        _coordinator.Dirty = false;
        return true;
    }

    private void Append(RecordBuffer buffer, long position)
    {
        long offset = Word.Length(position);
        if (offset + buffer.Length > Word.MaxLength || !_coordinator.StillHeld)
        {
            string why = $"The cache file {Path} cannot grow, because it has reached 1 TB or because this process lost the write lock during a long pause. "
                + "If the file is smaller than 1 TB, try again.";
            WriteFailed(why);
            throw new IOException(why);
        }
        _coordinator.Dirty = true;
        try
        {
            if (_coordinator.IsPolled && RandomAccess.GetLength(_log!) > offset)
            {
                RandomAccess.SetLength(_log!, offset);
            }
            PositionedFile.Write(_log!, buffer.Written, offset);
            if (_settings.Durability == FileStoreDurability.EveryWrite || _coordinator.IsPolled)
            {
                DiskFlush.File(_log!);
            }
            WriteSucceeded();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            TakeBack(offset);
            WriteFailed($"The cache file {Path} could not be written: {e.Message}");
            if (IsSweepDue)
            {
                // A compaction may free the disk space that the write needs.
                ScheduleCompaction();
            }
            throw new IOException($"The cache file {Path} could not be written: {e.Message} Nothing was changed.", e);
        }
    }

    /// <summary>
    /// Removes the bytes that a failed write left in the file. The file stays marked dirty, so the next writer verifies the file before it writes.
    /// </summary>
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

    /// <summary>Takes the write lock and holds it until the result is disposed. Tests use this method to simulate a stalled writer.</summary>
    internal IDisposable HoldLock()
    {
        WaitForLock(0);
        return new HeldLock(_coordinator);
    }

    private sealed class HeldLock(Coordinator coordinator) : IDisposable
    {
        public void Dispose() => coordinator.Unlock();
    }

    private DistributedFileStoreCacheException Busy(string holder) => new(
        $"The write lock of {Path} was not free within {_settings.LockTimeout.TotalMilliseconds} ms. It was last taken by {holder}, which may be suspended. "
        + "Nothing was changed, and reads still work. Try again, increase LockTimeout, or end the process that has the lock.", new TimeoutException());
}
