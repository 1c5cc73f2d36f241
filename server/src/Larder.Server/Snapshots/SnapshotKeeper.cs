using Larder.Store;
using Larder.Store.Snapshots;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Snapshots;

/// <summary>
/// Manages the snapshots of a server. Loads a snapshot before the server serves calls, writes a snapshot on request while it serves calls, and writes a last
/// snapshot on shutdown. Only one snapshot is written at a time.
/// </summary>
internal sealed class SnapshotKeeper : IDisposable
{
    private readonly Lock _lock = new();
    private readonly SnapshotFile _file;
    private readonly CacheStore _store;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _ending = new();
    private Task _writing = Task.CompletedTask;
    private volatile SnapshotStatistics _figures = new();
    private bool _isLoaded;

    public SnapshotKeeper(SnapshotFile file, CacheStore store, TimeProvider time, ILogger logger)
    {
        _file = file;
        _store = store;
        _time = time;
        _logger = logger;
    }

    public SnapshotStatistics Figures => _figures;

    /// <summary>Gets a number that increases while a snapshot is being written.</summary>
    public long Progress => _file.Progress;

    /// <summary>Locks the snapshot file for this process.</summary>
    /// <exception cref="ServerOptionsException">The file cannot be written, or another process uses it.</exception>
    public static SnapshotFile Open(string path, TimeProvider time)
    {
        try
        {
            return SnapshotFile.Open(path, time);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException(
                $"cannot use --snapshot {path} ({error.Message}); pass a file in a writable folder that no other running server uses",
                error);
        }
    }

    /// <summary>Loads the snapshot before the server serves calls. If the snapshot cannot be loaded, this is logged and the file is renamed.</summary>
    /// <exception cref="ServerOptionsException">The file is not a Larder snapshot, or it can neither be read nor renamed.</exception>
    /// <exception cref="OperationCanceledException">The start was cancelled.</exception>
    public async Task LoadAsync(CancellationToken cancelled)
    {
        long began = _time.GetTimestamp();
        try
        {
            SnapshotLoaded? loaded = await OnThread(() => _file.Load(_store, cancelled)).ConfigureAwait(false);
            TimeSpan took = _time.GetElapsedTime(began);
            if (loaded is null)
            {
                Log.NoSnapshot(_logger, _file.Path);
            }
            else
            {
                _figures = _figures with { LoadedEntries = loaded.Entries, LoadDuration = took };
                Log.SnapshotLoaded(_logger, _file.Path, loaded.WrittenAt, took.TotalSeconds, loaded.Entries, loaded.Caches, loaded.Expired, loaded.Flushed);
                if (loaded.WithoutRoom + loaded.Refused > 0)
                {
                    Log.SnapshotNotAllLoaded(_logger, loaded.WithoutRoom, loaded.Refused);
                }
            }
        }
        catch (SnapshotException error) when (error.AsidePath is { } aside)
        {
            _figures = _figures with { KeptAside = 1 };
            Log.SnapshotKeptAside(_logger, _file.Path, error.Message, aside);
        }
        catch (Exception error) when (error is SnapshotException or IOException or UnauthorizedAccessException)
        {
            throw new ServerOptionsException(
                $"cannot load --snapshot {_file.Path}: {error.Message.TrimEnd('.')}; the file was not changed; move it, or pass another file",
                error);
        }

        lock (_lock)
        {
            _isLoaded = true;
        }
    }

    /// <summary>
    /// Records that a cache was flushed or deleted, so that its items are not loaded again after a crash. Must be called before the flush or deletion returns.
    /// Runs on the thread pool, because disk access may be slow.
    /// </summary>
    public Task NoteFlushAsync(string cache, bool isDeleted) => Task.Run(() =>
    {
        try
        {
            _file.NoteFlush(cache, isDeleted);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Log.FlushNotNoted(_logger, _file.Path, error.Message);
        }
    });

    /// <summary>Writes a snapshot while the server serves calls.</summary>
    /// <exception cref="SnapshotRefusedException">Another snapshot is being written, writing failed, or the server is shutting down.</exception>
    public Task<SnapshotStatistics> WriteAsync()
    {
        lock (_lock)
        {
            if (!_isLoaded || _ending.IsCancellationRequested)
            {
                throw new SnapshotRefusedException(
                    _isLoaded
                        ? "the server is shutting down; it writes a last snapshot before it exits"
                        : "the server is loading a snapshot; try again later");
            }

            if (!_writing.IsCompleted)
            {
                throw new SnapshotRefusedException("a snapshot is already being written; try again later");
            }

            Task<SnapshotStatistics> writing = QuietThread.RunAsync("larder snapshot", () => Write(_ending.Token));
            _writing = writing;
            return writing;
        }
    }

    /// <summary>
    /// Writes the last snapshot, after all writes to the store have ended. If another snapshot is being written, that snapshot is cancelled. Failures are
    /// logged. Writes nothing if the store was not loaded completely, because the new snapshot would replace a more complete one.
    /// </summary>
    public async Task WriteLastAsync()
    {
        Task writing;
        lock (_lock)
        {
            if (!_isLoaded || _ending.IsCancellationRequested)
            {
                return;
            }

            _ending.Cancel();
            writing = _writing;
        }

        // The exception has already been logged and counted.
        await writing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Task last = OnThread(() => Write(CancellationToken.None));
        await last.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public void Dispose()
    {
        _ending.Dispose();
        _file.Dispose();
    }

    private SnapshotStatistics Write(CancellationToken cancelled)
    {
        long began = _time.GetTimestamp();
        _figures = _figures with { IsWriting = true };
        try
        {
            SnapshotWritten written = _file.Write(_store, cancelled);
            TimeSpan took = _time.GetElapsedTime(began);
            _figures = _figures with
            {
                Written = _figures.Written + 1,
                LastAt = _time.GetUtcNow(),
                LastDuration = took,
                LastBytes = written.Bytes,
                LastEntries = written.Entries,
            };
            Log.SnapshotWritten(_logger, _file.Path, took.TotalSeconds, written.Entries, written.Caches, written.Bytes);
        }
        catch (OperationCanceledException)
        {
            throw new SnapshotRefusedException("the server is shutting down; it writes a last snapshot before it exits");
        }
        catch (Exception error)
        {
            _figures = _figures with { Failures = _figures.Failures + 1 };
            Log.SnapshotFailed(_logger, _file.Path, error.Message);
            throw new SnapshotRefusedException($"cannot write the snapshot ({error.Message}); the previous one is kept", error);
        }
        finally
        {
            _figures = _figures with { IsWriting = false };
        }

        return _figures;
    }

    private static Task<T> OnThread<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
