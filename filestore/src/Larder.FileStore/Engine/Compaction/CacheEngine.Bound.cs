using System.Diagnostics;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>The file is at most twice its live bytes and this: a writer that takes it further compacts before its call returns.</summary>
    private const long MostDeadBytes = 16 << 20;

    /// <summary>Another process's compaction that takes longer than this may be stopped: its claim is passed over.</summary>
    private static readonly TimeSpan ClaimPatience = TimeSpan.FromMilliseconds(250);

    private const long RetryCompactionMs = 1000;

    private bool IsFarTooLong => FileBytes > 2 * _set.LiveBytes + MostDeadBytes && !HasJustFailed;

    private bool HasJustFailed => Environment.TickCount64 - Volatile.Read(ref _compactionFailedAt) < RetryCompactionMs;

    /// <summary>Compacts, or waits for the compaction that goes on, at most for <see cref="FileStoreSettings.LockTimeout"/>. No lock is held.</summary>
    private void KeepBound()
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            while (IsFarTooLong && !_disposed)
            {
                TimeSpan waited = Stopwatch.GetElapsedTime(start);
                if (Compact(onlyIfDue: true, claim: waited < ClaimPatience))
                {
                    continue;
                }
                if (waited > _settings.LockTimeout)
                {
                    return;
                }
                Thread.Sleep(1);
                Refresh();
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            // The write itself went through.
            CompactionFailed(e.Message);
        }
        catch (ObjectDisposedException)
        {
            // Closed meanwhile.
        }
    }

    private async Task<bool> KeepBoundAsync(bool changed)
    {
        await Task.Run(KeepBound).ConfigureAwait(false);
        return changed;
    }

    /// <summary>
    /// Clears all without a byte of room: the file is cut to its first line, and that is rewritten. Its writer may die in between: a file of
    /// its first line alone is an empty cache, and a torn first line begins anew. Gate and write lock held.
    /// </summary>
    private void ClearInPlace()
    {
        _coordinator.Dirty = true;
        LogHeader header = new(_logId, IsPolled, Word.Next(Word.Generation(_position)), LogHeader.Bytes, 0);
        RandomAccess.SetLength(_log!, LogHeader.Bytes);
        RandomAccess.Write(_log!, header.ToBytes(), 0);
        if (_settings.Durability != FileStoreDurability.None)
        {
            DiskFlush.File(_log!);
        }
        lock (_monitor)
        {
            _set.Clear();
            header.ToBytes().CopyTo(_logHeader, 0);
            _position = Word.Of(header.Generation, LogHeader.Bytes);
            Volatile.Write(ref _coordinator.Committed, _position);
            Publish(_position);
        }
        _coordinator.Dirty = false;
        WriteSucceeded();
    }
}
