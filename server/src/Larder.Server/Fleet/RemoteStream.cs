using System.Buffers;
using System.Runtime.InteropServices;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Near;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// One pipeline of a front: its operations become commands of the nodes, which answer later and in any order, on the threads that read from them. Their
/// answers are gathered under a gate and flushed once for each batch of replies; see <c>RemoteStream.Output.cs</c>.
/// </summary>
/// <remarks>
/// Back-pressure: at most <see cref="FleetLimits.MaxOutstanding"/> calls are begun and not answered, and while a flush waits for a client that does not read,
/// answers gather, held against its connection's memory; past either bound nothing more is read from it.
/// </remarks>
internal sealed partial class RemoteStream : RemoteCaller, IReplyBatch
{
    // A key of ten bytes or so with its tags: about how many parts a joined call has.
    private const int BytesOfPart = 16;

    private readonly RemoteFront _front;
    private readonly string _cacheName;

    // Of the loop that reads.
    private readonly Stack<RemoteCommand> _idle = new();
    private RemoteCache? _cache;
    private CallError? _noCache;
    private long _turnStart;
    private int _lane = -1;
    private bool _isResuming;

    public RemoteStream(RemoteFront front, DuplexStream stream, string cacheName, Action abort)
    {
        _front = front;
        _stream = stream;
        _output = stream.Output;
        _cacheName = cacheName;
        _abort = abort;
        _replies = new ReplyBuffer(stream);
        _backlog = new ReplyBacklog(stream);
    }

    /// <summary>A read has arrived.</summary>
    public void BeginTurn(long start, bool isResuming)
    {
        _turnStart = start;
        _isResuming = isResuming;
        // Found anew each turn: the cache may have been deleted, made or flushed since.
        _noCache = _front.Find(_cacheName, out _cache);
        TakeIdle();
        if (_lane < 0)
        {
            // Its own connection's thread, of the first read; kept, so that a key's commands stay in order wherever the stream goes on.
            _lane = RedisStore.PresentLane;
        }
    }

    /// <summary>Why an operation may not run; null where it may.</summary>
    public CallError? Refuse(in PipelineOperation operation, out RemoteCache? cache)
    {
        CallError? error = FindCache(operation.Cache, out cache);
        if (error is not null || _isResuming)
        {
            return error ?? CallError.Resuming;
        }

        bool isLate = operation.DeadlineMs != 0 && _front.TimeProvider.GetElapsedTime(_turnStart).TotalMilliseconds >= operation.DeadlineMs;
        return isLate ? CallError.PastDeadline : null;
    }

    /// <summary>Runs an operation that was not refused.</summary>
    /// <param name="id">The call's id.</param>
    /// <param name="field">What it does.</param>
    /// <param name="deadlineMs">The time that it had left on arrival in milliseconds; 0: no deadline.</param>
    /// <param name="cache">What it acts on.</param>
    /// <param name="request">The request message.</param>
    /// <param name="isNear">Whether the answer may be kept, where this is a near stream and it is a get.</param>
    /// <returns>False at the bound of what may be outstanding: nothing more is to be begun before <see cref="EndTurnAsync"/>.</returns>
    public bool Run(uint id, int field, uint deadlineMs, RemoteCache cache, ReadOnlySpan<byte> request, bool isNear = false)
    {
        if (RemoteCalls.Find(field) is not { } call)
        {
            return Fail(id, field, PipelineCalls.Find(field) is null ? PipelineStream.UnknownCall : FleetErrors.UnknownCall);
        }

        RemoteCommand command = _idle.Count > 0 ? _idle.Pop() : new RemoteCommand();
        command.Caller = this;
        command.Lane = _lane;
        long endsAt = _front.EndOf(_turnStart, deadlineMs == 0 ? null : TimeSpan.FromMilliseconds(deadlineMs));
        RemoteTarget target = new(cache, _front.Rules, PipelineLimits.MaxAnswerBytes);
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
        command.Start(_front);
        return !IsFull;
    }

    /// <summary>Runs or fails a call that fault injection has held back. Its caller alone uses the stream's input meanwhile.</summary>
    public void RunHeld(HeldCall call, CallError? error)
    {
        BeginTurn(_front.TimeProvider.GetTimestamp(), isResuming: false);
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

        _front.Store.Flush();
    }

    /// <summary>Answers an operation that did not run.</summary>
    /// <returns>As <see cref="Run"/>.</returns>
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

        _front.Record(field, isUseUnary ? StatusCode.Ok : error.Code, _turnStart, 0, sent);
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
        command.Join is null ? 1 : Math.Min(1 + (command.RequestBytes / BytesOfPart), FleetLimits.PartsAtOnce);

    private CallError? FindCache(ReadOnlySpan<byte> name, out RemoteCache? cache)
    {
        if (name.IsEmpty)
        {
            cache = _cache;
            return _noCache;
        }

        cache = _front.Directory.Find(name);
        return cache is null ? _front.Find(System.Text.Encoding.UTF8.GetString(name), out cache) : null;
    }

    // Under the gate, or before the command was sent.
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
