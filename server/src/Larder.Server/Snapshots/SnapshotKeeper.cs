using Larder.Store;
using Larder.Store.Snapshots;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Snapshots;

/// <summary>
/// Manages a server's snapshots: loads one before it serves, writes one on demand while it serves, and writes a last one on shutdown. Only one is
/// written at a time.
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
    private volatile SnapshotFigures _figures = new();
    private bool _isLoaded;

    public SnapshotKeeper(SnapshotFile file, CacheStore store, TimeProvider time, ILogger logger)
    {
        _file = file;
        _store = store;
        _time = time;
        _logger = logger;
    }

    public SnapshotFigures Figures => _figures;

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
                $"--snapshot {path} cannot be used ({error.Message}): name a file in a folder that this user may write to, of no other server that runs",
                error);
        }
    }

    /// <summary>Loads the snapshot before the server serves. A snapshot that cannot be loaded is logged and moved aside.</summary>
    /// <exception cref="ServerOptionsException">The file does not belong to Larder, or can neither be read nor moved.</exception>
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
                $"--snapshot {_file.Path} is not loaded: {error.Message.TrimEnd('.')}; it is left as it is: move it away, or name another",
                error);
        }

        lock (_lock)
        {
            _isLoaded = true;
        }
    }

    /// <summary>
    /// Records that a cache was flushed or deleted, before the call returns, so that its items do not come back after a crash. Runs on the thread
    /// pool, because disk access may be slow.
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

    /// <summary>Writes a snapshot while the server serves.</summary>
    /// <exception cref="SnapshotRefusedException">Another one is being written, writing failed, or the server is shutting down.</exception>
    public Task<SnapshotFigures> WriteAsync()
    {
        lock (_lock)
        {
            if (!_isLoaded || _ending.IsCancellationRequested)
            {
                throw new SnapshotRefusedException(_isLoaded ? "the server ends, and writes one as it does" : "the server is loading one");
            }

            if (!_writing.IsCompleted)
            {
                throw new SnapshotRefusedException("one is being written already: ask again when it is done");
            }

            Task<SnapshotFigures> writing = QuietThread.RunAsync("larder snapshot", () => Write(_ending.Token));
            _writing = writing;
            return writing;
        }
    }

    /// <summary>
    /// Writes the last snapshot, after all writes to the store have ended. A snapshot in progress is cancelled. Failures are logged. Writes nothing
    /// if the store was not loaded completely, because that would replace a better snapshot.
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

        // Exceptions were already logged and counted.
        await writing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Task last = OnThread(() => Write(CancellationToken.None));
        await last.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public void Dispose()
    {
        _ending.Dispose();
        _file.Dispose();
    }

    private SnapshotFigures Write(CancellationToken cancelled)
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
            throw new SnapshotRefusedException("the server ends, and writes one as it does");
        }
        catch (Exception error)
        {
            _figures = _figures with { Failures = _figures.Failures + 1 };
            Log.SnapshotFailed(_logger, _file.Path, error.Message);
            throw new SnapshotRefusedException($"it could not be written ({error.Message}); the one before it stays", error);
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
