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
/// Serves one pipeline. A single loop reads the available bytes, runs each complete operation directly on the input buffer, collects the results and flushes
/// them. One such pass is a turn. A flush happens once per turn, and earlier if <see cref="PipelineLimits.MaxPendingBytes"/> is reached, even in the middle of
/// a message.
/// </summary>
/// <remarks>
/// Backpressure: while a flush waits for a client that does not read, the server reads nothing from that client. Per stream, the server therefore stores at
/// most one input window and the maximum number of pending bytes. Results are sent later and out of order only for long-running calls
/// (<see cref="DeferredCalls"/>), fault injection (<see cref="HeldCalls"/>) and a gateway (<see cref="RemoteStream"/>).
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

    /// <param name="host">The state shared by the server's pipelines.</param>
    /// <param name="stream">The input and output of the stream.</param>
    /// <param name="cacheName">The default cache, for operations without a cache name; may be empty.</param>
    /// <param name="faults">The faults that the client requested; null if it requested none.</param>
    /// <param name="access">The access checks for the client's token; null if everything is allowed.</param>
    /// <param name="caller">The origin of the stream.</param>
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

        _remote = host.Gateway is null ? null : new RemoteStream(host.Gateway, stream, cacheName, caller.Abort);
    }

    /// <summary>Serves the stream. Ends when the client half-closes the stream or disconnects, or when the server has drained.</summary>
    /// <exception cref="OperationCanceledException">The client disconnected.</exception>
    /// <exception cref="RpcException">The access token was removed or has expired, or the client sent an invalid batch.</exception>
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

            // Acquires the output gate after its last holder has released it, and never releases it.
            await (_gate?.EnterAsync(CancellationToken.None) ?? Task.CompletedTask).ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        _held?.Dispose();
        _replies.LetGo();
        _drainOver?.Dispose();
    }

    /// <summary>
    /// Runs one turn. Returns false after the last turn. Uses a pooled state machine, so that waiting for bytes does not allocate. Therefore only the loop may
    /// await the result, and only once.
    /// </summary>
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

        // The cache is looked up in each turn, because it may have been deleted or recreated.
        _cache = _cacheName.Length == 0 ? null : _host.Store.Find(_cacheName);
    }

    // The turn continues on a worker, when the scheduler lets this connection run.
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
            throw Failure(StatusCode.Unimplemented, "compressed messages are not supported in a pipeline");
        }

        uint length = BinaryPrimitives.ReadUInt32BigEndian(prefix[1..]);
        if (length > PipelineLimits.MaxReceiveBytes)
        {
            throw Failure(StatusCode.ResourceExhausted, $"a message of {length} bytes exceeds the limit of {PipelineLimits.MaxReceiveBytes} bytes");
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

    // The output includes the pending near-cache notifications, in as many messages as needed. They include all changes that were completed before this call,
    // so a client that receives a result has also received the notifications of the writes that completed before.
    private void Emit()
    {
        if (_near is not null)
        {
            _host.Near.Settle();
        }

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
