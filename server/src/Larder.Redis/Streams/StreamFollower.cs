using System.Diagnostics.CodeAnalysis;

namespace Larder.Redis;

/// <summary>Follows streams of one slot, using a separate connection to the slot's master. The connection exists while any stream is followed.
/// <para> Design. A loop connects, opens each stream, and then reads all of them together by XREAD BLOCK. Each stream is read from the last entry that was
/// delivered. Therefore, no entry is lost or delivered twice, even if the connection is lost. If a stream is added while a read is blocked, the follower ends
/// the read early (CLIENT UNBLOCK). Redis does not support XREAD across slots. To use few followers, put many streams into one slot. </para></summary>
public sealed partial class StreamFollower : IAsyncDisposable
{
    private readonly StoreContext _context;
    private readonly Topology _topology;
    private readonly CommandRouter _router;
    private readonly int _slot;
    private readonly Lock _lock = new();
    private readonly HashSet<FollowedStream> _added = [];
    private readonly CancellationTokenSource _closing = new();
    private readonly Task _loop;
    private FollowedStream[]? _streams = [];
    private TaskCompletionSource? _idle;
    private BlockingConnection? _connection;
    private long _changes;
    private int _failures;
    private long _made;
    private long _entries;
    private string? _disconnectReason;

    internal StreamFollower(StoreContext context, Topology topology, CommandRouter router, int slot)
    {
        _context = context;
        _topology = topology;
        _router = router;
        _slot = slot;
        using (ExecutionContext.SuppressFlow())
        {
            _loop = Task.Run(RunAsync);
        }
    }

    /// <summary>Gets the number of followed streams.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _added.Count;
            }
        }
    }

    /// <summary>Gets whether there is a connection.</summary>
    public bool IsConnected => Volatile.Read(ref _connection) is not null;

    /// <summary>Gets a description of why there is no connection; null if there is a connection or no connection is needed.</summary>
    public string? WhyNot => Volatile.Read(ref _disconnectReason);

    /// <summary>Gets the number of connections opened so far.</summary>
    public long Connections => Interlocked.Read(ref _made);

    /// <summary>Gets the number of entries read.</summary>
    public long Entries => Interlocked.Read(ref _entries);

    /// <summary>
    /// Starts to follow a stream. Reading starts at the position that <see cref="FollowedStream.OnOpened"/> returns. If the stream is already followed, its
    /// opening script runs again. There must be only one stream object per key at a time.
    /// </summary>
    public void Add(FollowedStream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        bool letsGo;
        lock (_lock)
        {
            stream.Asked++;
            _changes++;
            if (_added.Add(stream))
            {
                stream.IsOpen = false;
                _streams = null;
            }

            _idle?.TrySetResult();
            letsGo = ShouldRelease();
        }

        if (letsGo)
        {
            _ = LetGoAsync();
        }
    }

    /// <summary>Stops following a stream. Entries of a read that is in progress may still be delivered.</summary>
    public void Remove(FollowedStream stream)
    {
        lock (_lock)
        {
            if (_added.Remove(stream))
            {
                _streams = null;
            }
        }
    }

    /// <summary>Stops the follower. No entries are delivered afterwards.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_closing.IsCancellationRequested)
        {
            return;
        }

        await _closing.CancelAsync().ConfigureAwait(false);
        Volatile.Read(ref _connection)?.Close();
        await _loop.ConfigureAwait(false);
        _closing.Dispose();
    }

    [SuppressMessage("Design", "CA1031", Justification = "Whatever it is, the streams have to be followed; the reason is kept for people.")]
    private async Task RunAsync()
    {
        while (!_closing.IsCancellationRequested)
        {
            TimeSpan least = TimeSpan.Zero;
            try
            {
                await WaitForStreamsAsync().ConfigureAwait(false);
                await ConnectAndFollowAsync().ConfigureAwait(false);
            }
            catch (Exception error)
            {
                Volatile.Write(ref _disconnectReason, error.Message);
                _topology.Want(null);
                _inParts |= error is InvalidDataException;
                least = error is RefusedException ? s_refusedWait : TimeSpan.Zero;
            }

            TimeSpan wait = _failures == 0 ? TimeSpan.Zero : RetrySchedule.Retry(_failures, Random.Shared.NextDouble());
            await Task.Delay(wait > least ? wait : least, _context.Time, _closing.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private Task WaitForStreamsAsync()
    {
        lock (_lock)
        {
            if (_added.Count > 0)
            {
                return Task.CompletedTask;
            }

            _disconnectReason = null;
            _idle = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task.WaitAsync(_closing.Token);
        }
    }

    private async Task ConnectAndFollowAsync()
    {
        // The counter is reset when a read succeeds.
        _failures++;
        RedisNode node = _topology.MasterFor(_slot) ?? throw new IOException(_topology.WhyNotReady ?? "The slot of the streams has no master.");
        using BlockingConnection connection =
            await BlockingConnection.OpenAsync(_context, node.EndPoint, MaxAnswerBytes, _closing.Token).ConfigureAwait(false);
        foreach (FollowedStream stream in Streams(out _))
        {
            stream.IsOpen = false;
            stream.OpensAt = TimeSpan.Zero;
        }

        try
        {
            Volatile.Write(ref _connection, connection);
            Volatile.Write(ref _disconnectReason, null);
            Interlocked.Increment(ref _made);
            _closing.Token.ThrowIfCancellationRequested();
            await FollowAsync(connection, node).ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _releaseDeferred, 0);
            Volatile.Write(ref _connection, null);
        }
    }

    private FollowedStream[] Streams(out long changes)
    {
        lock (_lock)
        {
            changes = _changes;
            return _streams ??= [.. _added];
        }
    }
}
