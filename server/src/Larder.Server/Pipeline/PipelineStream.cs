using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Fleet;
using Larder.Server.Metrics;
using Larder.Server.Security;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// Serves one pipeline: one loop that reads what has arrived, runs every complete operation straight from the input's bytes, gathers the
/// answers, and flushes once per read (and at <see cref="PipelineLimits.MaxPendingBytes"/>, also in the middle of a message).
/// </summary>
/// <remarks>
/// Back-pressure: while a flush waits for a client that does not read, nothing more is read from it, so the server holds at most one
/// input window and the pending bound per stream. Only fault injection and a front answer later and out of order; see <see cref="HeldCalls"/> and
/// <see cref="RemoteStream"/>.
/// </remarks>
internal sealed partial class PipelineStream : IDisposable
{
    private const int PrefixBytes = 5;

    private readonly PipelineHost _host;
    private readonly PipeReader _input;
    private readonly PipeWriter _output;
    private readonly string _cacheName;
    private readonly ReplyBuffer _replies;
    private readonly PipelineMeters _meters;
    private readonly HeldCalls? _held;
    private readonly RemoteStream? _remote;
    private readonly AccessSession? _access;
    private readonly Action _abort;
    private readonly DuplexStream _stream;
    private readonly WorkShare _share;
    private readonly string _user;

    private DeferredCalls? _deferred;
    private WorkYield? _yield;
    private OutputGate? _gate;
    private SampleGap _gap;
    private Cache? _cache;
    private long _turnStart;
    private WorkSlice _slice;
    private int _pendingBytes;
    private bool _isResuming;

    /// <param name="host">What the server's pipelines share.</param>
    /// <param name="stream">The stream's two directions.</param>
    /// <param name="cacheName">The cache of operations that name none; may be empty.</param>
    /// <param name="faults">The faults that its client asked for; null: none.</param>
    /// <param name="access">What its token lets it do; null: anything.</param>
    /// <param name="caller">Who opened the stream.</param>
    public PipelineStream(
        PipelineHost host,
        DuplexStream stream,
        string cacheName,
        FaultScript? faults,
        AccessSession? access,
        PipelineCaller caller)
    {
        _host = host;
        _stream = stream;
        _share = caller.Share;
        _abort = caller.Abort;
        _user = access?.Holder ?? caller.Address;
        _access = access;
        _reads = access?.Reads ?? host.Draining;
        _input = stream.Input;
        _output = stream.Output;
        _replies = new ReplyBuffer(stream);
        _slice = new WorkSlice(host.TimeProvider);
        _cacheName = cacheName;
        _meters = new PipelineMeters(host.Metrics);
        if (faults is not null && host.Injector is not null)
        {
            _gate = new OutputGate(isEntered: false);
            _held = new HeldCalls(host, faults, _gate, AnswerHeldAsync);
        }

        _remote = host.Front is null ? null : new RemoteStream(host.Front, stream, cacheName, caller.Abort);
    }

    /// <summary>Serves until the client half-closes, goes away, or the server has drained.</summary>
    /// <exception cref="OperationCanceledException">The client went away.</exception>
    /// <exception cref="RpcException">Its token has gone or expired; or what it sent is no batch.</exception>
    public async Task RunAsync(CancellationToken cancelled)
    {
        _cancelled = cancelled;
        _remote?.Begin(cancelled);
        try
        {
            while (await ServeOneReadAsync(cancelled).ConfigureAwait(false))
            {
            }

            await (_held?.DrainAsync() ?? Task.CompletedTask).ConfigureAwait(false);
            await (_deferred?.DrainAsync(cancelled) ?? Task.CompletedTask).ConfigureAwait(false);
            await (_remote?.CompleteAsync() ?? Task.CompletedTask).ConfigureAwait(false);
            if (_access?.Refusal is { } over)
            {
                throw Failure(over.Code, over.Message);
            }
        }
        finally
        {
            CloseNear();
            await (_deferred?.StopAsync() ?? Task.CompletedTask).ConfigureAwait(false);
            await (_remote?.EndAsync() ?? Task.CompletedTask).ConfigureAwait(false);

            // Nobody has the output any more, and nobody gets it.
            await (_gate?.EnterAsync(CancellationToken.None) ?? Task.CompletedTask).ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        _held?.Dispose();
        _replies.LetGo();
        _drainOver?.Dispose();
    }

    /// <summary>One turn; false when it was the last. Pooled, as its loop alone awaits it, once: to wait for bytes allocates nothing.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> ServeOneReadAsync(CancellationToken cancelled)
    {
        if (await ReadAsync(cancelled).ConfigureAwait(false) is not { } read)
        {
            return false;
        }

        if (_gate is not null)
        {
            await _gate.EnterAsync(cancelled).ConfigureAwait(false);
        }

        BeginTurn();
        if (_hasWaited)
        {
            _slice.Begin(_turnStart);
        }

        ReadOnlySequence<byte> rest = read.Buffer;
        try
        {
            while (TryTakeMessage(ref rest, out ReadOnlySequence<byte> message))
            {
                if (message.Length > PipelineLimits.LongMessageBytes || _slice.IsOver)
                {
                    await YieldAsync();
                }

                await RunMessageAsync(message, cancelled).ConfigureAwait(false);
            }

            await FlushAsync(cancelled).ConfigureAwait(false);
        }
        finally
        {
            _meters.EndTurn(Elapsed());
            LeaveOutput();
        }

        _input.AdvanceTo(rest.Start, rest.End);
        if (read.IsCompleted && !rest.IsEmpty)
        {
            throw Failure(StatusCode.InvalidArgument, "the stream ended in the middle of a message");
        }

        return !read.IsCompleted && _access?.Refusal is null;
    }

    private void BeginTurn()
    {
        _turnStart = _host.TimeProvider.GetTimestamp();
        _access?.BeginTurn(_turnStart);
        _isResuming = _host.Guard.IsResuming();
        _hasSettled = false;
        if (_remote is not null)
        {
            _remote.BeginTurn(_turnStart, _isResuming);
            return;
        }

        // Found anew each turn: the cache may have been deleted or made since.
        _cache = _cacheName.Length == 0 ? null : _host.Store.Find(_cacheName);
    }

    // Continues on a worker, when it is the connection's turn.
    private async ValueTask YieldAsync()
    {
        await (_yield ??= new WorkYield(WorkScheduler.Shared, _share));
        _slice.Begin(_host.TimeProvider.GetTimestamp());
    }

    private TimeSpan Elapsed() => _host.TimeProvider.GetElapsedTime(_turnStart);

    private static bool TryTakeMessage(ref ReadOnlySequence<byte> rest, out ReadOnlySequence<byte> message)
    {
        message = default;
        if (rest.Length < PrefixBytes)
        {
            return false;
        }

        Span<byte> prefix = stackalloc byte[PrefixBytes];
        rest.Slice(0, PrefixBytes).CopyTo(prefix);
        if (prefix[0] != 0)
        {
            throw Failure(StatusCode.Unimplemented, "messages of a pipeline are not compressed");
        }

        uint length = BinaryPrimitives.ReadUInt32BigEndian(prefix[1..]);
        if (length > PipelineLimits.MaxReceiveBytes)
        {
            throw Failure(StatusCode.ResourceExhausted, $"a message of {length} bytes is over the limit of {PipelineLimits.MaxReceiveBytes}");
        }

        if (rest.Length < PrefixBytes + length)
        {
            return false;
        }

        message = rest.Slice(PrefixBytes, length);
        rest = rest.Slice(PrefixBytes + length);
        return true;
    }

    private async ValueTask RunMessageAsync(ReadOnlySequence<byte> message, CancellationToken cancelled)
    {
        ReadOnlyMemory<byte> bytes = message.IsSingleSegment ? message.First : message.ToArray();
        int position = 0;
        while (!RunOperations(bytes.Span, ref position))
        {
            await FlushAsync(cancelled).ConfigureAwait(false);
            if (_held is { IsFull: true })
            {
                await _held.WaitForRoomAsync(cancelled).ConfigureAwait(false);
            }

            if (_deferred is { IsFull: true })
            {
                await _deferred.WaitForRoomAsync(cancelled).ConfigureAwait(false);
            }

            if (_slice.IsOver)
            {
                await YieldAsync();
            }
        }
    }

    private void EmitIfFull()
    {
        if (_replies.IsFull)
        {
            Emit();
        }
    }

    // With what a near stream is to be told, in as many messages as that takes.
    private void Emit()
    {
        bool hasMore = true;
        while (hasMore)
        {
            hasMore = _near is not null && _near.WriteTo(_replies);
            if (_replies.HasResults)
            {
                _pendingBytes += _replies.Emit(_output);
            }
        }
    }

    private static RpcException Failure(StatusCode code, string message) => new(new Status(code, message));
}
