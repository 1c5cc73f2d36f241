using System.Buffers;
using System.Runtime.InteropServices;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// One pipeline of a gateway. Its operations become commands to the nodes. The nodes reply later and in any order; the threads that read from the nodes process
/// the replies. Responses are collected under a lock and flushed once per batch of replies; see <c>RemoteStream.Output.cs</c>.
/// </summary>
/// <remarks>
/// Backpressure: at most <see cref="FleetLimits.MaxOutstanding"/> calls are outstanding. While a flush waits for a client that does not read, responses are
/// buffered and count towards the memory of its connection. If either limit is reached, nothing more is read from the client.
/// </remarks>
internal sealed partial class RemoteStream : RemoteCaller, IReplyBatch
{
    // The size of a key of about ten bytes with its protobuf tags. Used to estimate the number of parts of a joined call.
    private const int BytesOfPart = 16;

    private readonly RemoteGateway _gateway;
    private readonly string _cacheName;

    // Only the reading loop uses these fields.
    private readonly Stack<RemoteCommand> _idle = new();
    private RemoteCache? _cache;
    private CallError? _noCache;
    private long _turnStart;
    private int _lane = -1;
    private bool _isResuming;

    public RemoteStream(RemoteGateway gateway, DuplexStream stream, string cacheName, Action abort)
    {
        _gateway = gateway;
        _stream = stream;
        _output = stream.Output;
        _cacheName = cacheName;
        _abort = abort;
        _replies = new ReplyBuffer(stream);
        _backlog = new ReplyBacklog(stream);
    }

    /// <summary>Called when a read from the client has completed.</summary>
    public void BeginTurn(long start, bool isResuming)
    {
        _turnStart = start;
        _isResuming = isResuming;
        // The cache is looked up again for each turn, because it may have been deleted, created or flushed in the meantime.
        _noCache = _gateway.Find(_cacheName, out _cache);
        TakeIdle();
        if (_lane < 0)
        {
            // The lane selects one of the connections to a node. The stream uses the lane of the thread that handles its first read. The lane stays the same
            // when the stream continues on another thread, so that commands for a key stay in order.
            _lane = RedisStore.PresentLane;
        }
    }

    /// <summary>Returns an error if the operation must not run, otherwise null.</summary>
    public CallError? Refuse(in PipelineOperation operation, out RemoteCache? cache)
    {
        CallError? error = FindCache(operation.Cache, out cache);
        if (error is not null || _isResuming)
        {
            return error ?? CallError.Resuming;
        }

        bool isLate = operation.DeadlineMs != 0 && _gateway.TimeProvider.GetElapsedTime(_turnStart).TotalMilliseconds >= operation.DeadlineMs;
        return isLate ? CallError.PastDeadline : null;
    }

    /// <summary>Runs an operation that <see cref="Refuse"/> has accepted.</summary>
    /// <param name="id">The ID of the call.</param>
    /// <param name="field">The field number of the call.</param>
    /// <param name="deadlineMs">The time left at arrival, in milliseconds. 0 means no deadline.</param>
    /// <param name="cache">The cache.</param>
    /// <param name="request">The request message.</param>
    /// <param name="isNear">Whether the client may cache the value. Applies to a get on a near stream.</param>
    /// <returns>False if the limit of outstanding calls is reached. No more operations may then begin before <see cref="EndTurnAsync"/>.</returns>
    public bool Run(uint id, int field, uint deadlineMs, RemoteCache cache, ReadOnlySpan<byte> request, bool isNear = false)
    {
        if (RemoteCalls.Find(field) is not { } call)
        {
            return Fail(id, field, PipelineCalls.Find(field) is null ? PipelineStream.UnknownCall : FleetErrors.UnknownCall);
        }

        RemoteCommand command = _idle.Count > 0 ? _idle.Pop() : new RemoteCommand();
        command.Caller = this;
        command.Lane = _lane;
        long endsAt = _gateway.EndOf(_turnStart, deadlineMs == 0 ? null : TimeSpan.FromMilliseconds(deadlineMs));
        RemoteTarget target = new(cache, _gateway.Rules, PipelineLimits.MaxAnswerBytes);
        command.Prepare(call, target, id, field, _turnStart, endsAt, request.Length);
        if (Begin(call, request, command, isNear && field == PipelineCalls.GetField ? _near : null) is { } error)
        {
            LetGo(command);
            _idle.Push(command);
            return Fail(id, field, error);
        }

        command.Weight = WeightOf(command);
        _begunCalls += command.Weight;
        _begunBytes += request.Length;
        command.Start(_gateway);
        return !IsFull;
    }

    /// <summary>
    /// Runs a call that fault injection has delayed. If <paramref name="error"/> is not null, fails the call instead. No other operation may use the stream's
    /// input in the meantime.
    /// </summary>
    public void RunHeld(HeldCall call, CallError? error)
    {
        BeginTurn(_gateway.TimeProvider.GetTimestamp(), isResuming: false);
        RemoteCache? cache = null;
        error ??= FindCache(System.Text.Encoding.UTF8.GetBytes(call.CacheName), out cache);
        if (error is null)
        {
            Run(call.Id, call.CallField, call.DeadlineMs, cache!, call.Request);
        }
        else
        {
            Fail(call.Id, call.CallField, error);
        }

        _gateway.Store.Flush();
    }

    /// <summary>Writes an error as the response to an operation that did not run.</summary>
    /// <returns>The same as <see cref="Run"/>.</returns>
    public bool Fail(uint id, int field, CallError error)
    {
        int sent = 0;
        bool isUseUnary = ReferenceEquals(error, CallError.UseUnary);
        lock (_gate)
        {
            if (!_hasEnded)
            {
                if (isUseUnary)
                {
                    _replies.WriteUseUnary(id);
                }
                else
                {
                    _replies.WriteError(id, error);
                }

                sent = _replies.TakeWritten();
                EmitIfFull();
                JoinBatch();
            }
        }

        _gateway.Record(field, isUseUnary ? StatusCode.Ok : error.Code, _turnStart, 0, sent);
        return !IsFull;
    }

    /// <inheritdoc/>
    public override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request)
    {
        lock (_gate)
        {
            _stream.Hold(request.Length);
            _keptBytes += request.Length;
        }

        byte[] array = ArrayPool<byte>.Shared.Rent(request.Length);
        request.CopyTo(array);
        return array.AsMemory(0, request.Length);
    }

    private CallError? Begin(RemoteCall call, ReadOnlySpan<byte> request, RemoteCommand command, NearStream? near)
    {
        try
        {
            return near is { IsOpen: true } ? BeginNearGet(request, command, near) : call.Begin(request, command);
        }
        catch (RpcException noBuffer) when (noBuffer.Status.Code == StatusCode.ResourceExhausted)
        {
            return CallError.NoBuffer;
        }
    }

    private static int WeightOf(RemoteCommand command) =>
        command.Join is null ? 1 : Math.Min(1 + (command.RequestBytes / BytesOfPart), FleetLimits.MaxConcurrentParts);

    private CallError? FindCache(ReadOnlySpan<byte> name, out RemoteCache? cache)
    {
        if (name.IsEmpty)
        {
            cache = _cache;
            return _noCache;
        }

        cache = _gateway.Directory.Find(name);
        return cache is null ? _gateway.Find(System.Text.Encoding.UTF8.GetString(name), out cache) : null;
    }

    // Must be called under the lock, or before the command is sent.
    private void LetGo(RemoteCommand command)
    {
        if (!command.Request.IsEmpty)
        {
            lock (_gate)
            {
                if (!_hasEnded)
                {
                    _stream.Release(command.Request.Length);
                    _keptBytes -= command.Request.Length;
                }
            }

            if (MemoryMarshal.TryGetArray(command.Request, out ArraySegment<byte> kept))
            {
                ArrayPool<byte>.Shared.Return(kept.Array!);
            }
        }

        command.Forget();
    }
}
