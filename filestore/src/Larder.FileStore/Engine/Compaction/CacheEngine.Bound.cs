using System.Diagnostics;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// The file size limit is twice the live bytes plus this number of bytes. A writer that exceeds the limit compacts the file before its call returns.
    /// </summary>
    private const long MaxDeadBytes = 16 << 20;

    /// <summary>If another process's compaction takes longer than this, that process may be stalled. The claim of that process is then ignored.</summary>
    private static readonly TimeSpan ClaimTimeout = TimeSpan.FromMilliseconds(250);

    private const long RetryCompactionMs = 1000;

    private bool IsFarTooLong => FileBytes > 2 * _set.LiveBytes + MaxDeadBytes && !HasJustFailed;

    private bool HasJustFailed => Environment.TickCount64 - Volatile.Read(ref _compactionFailedAt) < RetryCompactionMs;

    /// <summary>
    /// Compacts, or waits for a running compaction for at most <see cref="FileStoreSettings.LockTimeout"/>. The caller holds no lock.
    /// </summary>
    private void KeepBound()
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            while (IsFarTooLong && !_disposed)
            {
                TimeSpan waited = Stopwatch.GetElapsedTime(start);
                if (Compact(onlyIfDue: true, claim: waited < ClaimTimeout))
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
            // Do not throw, because the write itself succeeded.
            CompactionFailed(e.Message);
        }
        catch (ObjectDisposedException)
        {
            // The cache was closed concurrently.
        }
    }

    private async Task<bool> KeepBoundAsync(bool changed)
    {
        await Task.Run(KeepBound).ConfigureAwait(false);
        return changed;
    }

    /// <summary>
    /// Clears the cache without needing disk space. Truncates the file to its first line and rewrites that line. If the writer dies between these steps, the
    /// file is still valid or is repaired: a file that contains only its first line is an empty cache, and a file with a torn first line is recreated. The
    /// caller holds the gate and the write lock.
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
