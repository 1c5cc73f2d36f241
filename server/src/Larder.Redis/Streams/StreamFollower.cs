using System.Diagnostics.CodeAnalysis;

namespace Larder.Redis;

/// <summary>
/// Follows streams of one slot, on a connection of its own to the slot's master, which there is while anything is followed.
/// <para>
/// Design. One loop: it connects, has each stream opened, then asks for all of them together by XREAD BLOCK, each from the last entry that was read, so that
/// nothing is lost whatever ends the connection, and nothing comes twice. A stream that is added while the node holds the question back has it answered at once
/// (CLIENT UNBLOCK). The engine takes no XREAD of several slots: who wants few readers puts many streams into one slot.
/// </para>
/// </summary>
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
    private string? _whyNot;

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

    /// <summary>Streams that are followed.</summary>
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

    /// <summary>Whether it has a connection.</summary>
    public bool IsConnected => Volatile.Read(ref _connection) is not null;

    /// <summary>Why not, for people; null where it has one, or needs none.</summary>
    public string? WhyNot => Volatile.Read(ref _whyNot);

    /// <summary>Connections that were made.</summary>
    public long Connections => Interlocked.Read(ref _made);

    /// <summary>Entries that were read.</summary>
    public long Entries => Interlocked.Read(ref _entries);

    /// <summary>
    /// Follows a stream from <see cref="FollowedStream.OnOpened"/> on. One that is followed already is opened again. Of one key there is one at a time.
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
            letsGo = WantsLetGo();
        }

        if (letsGo)
        {
            _ = LetGoAsync();
        }
    }

    /// <summary>Follows a stream no more. What is being read meanwhile may still come.</summary>
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

    /// <summary>Ends it; nothing comes afterwards.</summary>
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
                Volatile.Write(ref _whyNot, error.Message);
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

            _whyNot = null;
            _idle = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task.WaitAsync(_closing.Token);
        }
    }

    private async Task ConnectAndFollowAsync()
    {
        // Until something is read.
        _failures++;
        RedisNode node = _topology.MasterFor(_slot) ?? throw new IOException(_topology.WhyNotReady ?? "The streams' slot has no master.");
        using BlockingConnection connection =
            await BlockingConnection.OpenAsync(_context, node.EndPoint, MostAnswerBytes, _closing.Token).ConfigureAwait(false);
        foreach (FollowedStream stream in Streams(out _))
        {
            stream.IsOpen = false;
            stream.OpensAt = TimeSpan.Zero;
        }

        try
        {
            Volatile.Write(ref _connection, connection);
            Volatile.Write(ref _whyNot, null);
            Interlocked.Increment(ref _made);
            _closing.Token.ThrowIfCancellationRequested();
            await FollowAsync(connection, node).ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _heldBack, 0);
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
