using System.Text;
using Larder.Client.Calls;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Pipeline;

/// <summary>
/// One stream of the pipelined transport: its ids, the buffers into which calls are encoded, and the handling of responses.
/// <para>
/// Design: sending a call takes the lock once. Under the lock, the call gets an id and is encoded at the end of the buffer that is being filled. Then the
/// connection is signalled, unless it is already signalled. When the connection can send, it fetches all available bytes (PipelineStream.Writing.cs). A single
/// call is therefore sent immediately, and all calls that are made during a send are sent together in the next send. The reader (PipelineStream.Reading.cs)
/// does not take the lock for each response. It clears the slot of a response without the lock, and returns all ids of one read together, under the lock. The
/// slot of an abandoned call stays marked until the response arrives.
/// </para>
/// </summary>
internal sealed partial class PipelineStream
{
    private readonly IPipelineHost _host;
    private readonly RpcChannel _channel;
    private readonly DuplexCall _call;
    private readonly string _cache;
    private readonly Lock _lock = new();
    private readonly PipelineSlot[] _slots;
    private readonly int[] _freeIds;
    private int _freeCount;
    private int _unusedId;
    private TimeSpan _busyBefore;
    private int _mostCalls;
    private int _callsToMove;
    private bool _isRetired;
    private bool _isEnded;
    private EncodedName? _otherCache;

    /// <param name="host">The transport.</param>
    /// <param name="channel">The connection. It is used only by this stream, and is closed with the stream.</param>
    /// <param name="call">The bidirectional RPC that carries the stream.</param>
    /// <param name="cache">The name of the cache in the RPC's metadata, or empty.</param>
    /// <param name="ids">The maximum number of ids in use (PIPE-16).</param>
    /// <param name="shown">The version of the provider's token that opened the stream, or 0 if there is no provider.</param>
    /// <param name="near">The client's near cache, or null if there is none.</param>
    public PipelineStream(IPipelineHost host, RpcChannel channel, DuplexCall call, string cache, int ids, int shown = 0, NearReads? near = null)
    {
        Shown = shown;
        _near = near;
        _tickets = near is null ? [] : new uint[TicketsPerMessage];
        Number = near?.NextNumber() ?? 0;
        _host = host;
        _channel = channel;
        _call = call;
        _cache = cache;
        // One id is reserved for the requests of a near stream.
        _slots = new PipelineSlot[near is null ? ids : ids - 1];
        _freeIds = new int[_slots.Length];
    }

    /// <summary>Gets the name of the cache in the RPC's metadata, or empty.</summary>
    public string Cache => _cache;

    /// <summary>Gets the version of the provider's token with which the stream was opened. The stream uses this token until it ends.</summary>
    public int Shown { get; }

    /// <summary>Gets the number of calls whose response has not arrived, including abandoned calls.</summary>
    public int Outstanding
    {
        get
        {
            lock (_lock)
            {
                return _unusedId - _freeCount;
            }
        }
    }

    /// <summary>
    /// Gets the same number as <see cref="Outstanding"/>, but without taking the lock, so it may be slightly outdated. Used to choose among gateways and among
    /// the streams of a transport.
    /// </summary>
    public int Load => Volatile.Read(ref _unusedId) - Volatile.Read(ref _freeCount);

    /// <summary>
    /// Returns the time for which the connection's thread has handled responses and resumed callers since the last call of this method. Called by one thread at
    /// a time.
    /// </summary>
    public TimeSpan TakeBusyTime()
    {
        TimeSpan before = _busyBefore;
        _busyBefore = _call.BusyTime;
        return _busyBefore - before;
    }

    /// <summary>Returns the largest number of calls in flight since the last call of this method.</summary>
    public int TakeMostCalls()
    {
        lock (_lock)
        {
            int most = _mostCalls;
            _mostCalls = _unusedId - _freeCount;
            return most;
        }
    }

    /// <summary>Gets or sets the time at which the transport began to use the stream, or stopped using it for new calls.</summary>
    public TimeSpan ChangedAt { get; set; }

    /// <summary>Sets how many calls, of the next ones whose callers this stream resumes, are sent on other streams.</summary>
    public void MoveCalls(int calls) => Volatile.Write(ref _callsToMove, calls);

    /// <summary>Returns whether the call of a caller that this stream has resumed must be sent on another stream. Counts the call if it returns true.</summary>
    public bool TryMoveCall() => Volatile.Read(ref _callsToMove) > 0 && Interlocked.Decrement(ref _callsToMove) >= 0;

    /// <summary>Suspects that the connection is lost, because another connection to the same server was lost (RETRY-13).</summary>
    public void CheckConnectionHealth() => _call.CheckConnectionHealth();

    public void Run()
    {
        _call.Send(this);
        _call.Receive(this);
    }

    /// <summary>
    /// Sends a call. Changes the call's phase from Busy to Sent. Returns false, without changing the call, if the stream accepts no more calls.
    /// </summary>
    public bool TrySend(Call call, long version)
    {
        int requestBytes = call.Measure();
        byte[]? otherCache = ReferenceEquals(call.Cache, _cache) || call.Cache == _cache ? null : Utf8Of(call.Cache);
        uint deadlineMs = _host.Clock.MillisecondsUntil(call.Attempts == 0 ? call.GrantedAt : _host.Clock.Now, call.DeadlineAt);
        if (!TryWrite(call, version, requestBytes, otherCache, deadlineMs, out bool signals))
        {
            Retire("the stream has used all its call ids");
            return false;
        }

        if (signals)
        {
            _call.Signal();
        }

        return true;
    }

    private bool TryWrite(Call call, long version, int requestBytes, byte[]? otherCache, uint deadlineMs, out bool signals)
    {
        lock (_lock)
        {
            signals = false;
            if (_isRetired || !TryTakeId(out int id))
            {
                return false;
            }

            if (_near is not null && call is TypedCall<GetOperation, LookupResult<CacheValue>> get)
            {
                call.NearGet = _near.Begin(call.Cache, get.Request.Asked, this);
            }

            _mostCalls = Math.Max(_mostCalls, _unusedId - _freeCount);
            _filling.AddCall(call, requestBytes, (uint)id, otherCache, deadlineMs);
            ref PipelineSlot slot = ref _slots[id];
            slot.Version = version;
            slot.Buffer = _bufferNumber;
            slot.IsAbandoned = false;
            Volatile.Write(ref slot.Call, call);
            call.Route = this;
            call.RouteId = id;
            call.Attempts++;
            call.Sends++;
            // The call must become Sent before its bytes can be written. Otherwise a response could arrive while the call is Busy.
            call.Leave(version, CallPhase.Sent);
            signals = MustSignal();
            return true;
        }
    }

    /// <summary>
    /// Abandons a call. If the stream is not retired, also asks the server to cancel the call. The call's id stays in use until the response arrives.
    /// </summary>
    public void Abandon(Call call, long version)
    {
        int id = call.RouteId;
        bool signals;
        lock (_lock)
        {
            ref PipelineSlot slot = ref _slots[id];
            if (_isEnded || slot.Call != call || slot.Version != version)
            {
                return;
            }

            slot.IsAbandoned = true;
            signals = false;
            if (!_isRetired)
            {
                _filling.AddCancel((uint)id);
                signals = MustSignal();
            }
        }

        if (signals)
        {
            _call.Signal();
        }

        _call.CheckConnectionHealth();
    }

    /// <summary>
    /// Stops accepting calls. Calls that were not written yet fail, and their failure states that the server has not run them. The stream ends when the
    /// responses of all other calls have arrived.
    /// </summary>
    public void Retire(string reason)
    {
        List<(Call Call, long Version)> unwritten = [];
        lock (_lock)
        {
            if (_isRetired)
            {
                return;
            }

            _isRetired = true;
            TakeUnwritten(unwritten);
            _filling.Clear();
        }

        _near?.Lost(this);
        bool hasOthers = _host.OnRetired(this, reason);
        FailAll(
            unwritten,
            new Failure(StatusCode.Unavailable, $"The stream was replaced before the call was written: {reason}.")
            {
                NotProcessed = true,
                HasOtherStream = hasOthers,
            });
        CompleteIfAnswered();
    }

    /// <summary>
    /// Retires a stream that the transport no longer uses, if it has no calls in flight. Returns false if it has some, or has been retired already.
    /// </summary>
    public bool TryRetireIdle()
    {
        lock (_lock)
        {
            if (_isRetired || _unusedId != _freeCount)
            {
                return false;
            }

            _isRetired = true;
        }

        CompleteIfAnswered();
        return true;
    }

    /// <summary>Ends the stream immediately. Every call without a response fails exactly once.</summary>
    public async Task EndAsync(Failure failure)
    {
        List<(Call Call, long Version)> unwritten = [];
        List<(Call Call, long Version)> written = [];
        lock (_lock)
        {
            if (_isEnded)
            {
                return;
            }

            _isEnded = true;
            _isRetired = true;
            TakeUnwritten(unwritten);
            TakeAll(written);
        }

        _near?.Lost(this);
        bool hasOthers = _host.OnEnded(this, unwritten.Count + written.Count, failure.Message, failure.Code == StatusCode.Unauthenticated);
        FailAll(
            unwritten,
            new Failure(failure.Code, failure.Message) { NotProcessed = true, Exception = failure.Exception, Shown = Shown, HasOtherStream = hasOthers });
        FailAll(written, failure with { HasOtherStream = hasOthers });
        await _call.DisposeAsync().On(PoolQueue.Work);
        await _channel.DisposeAsync().On(PoolQueue.Work);
    }

    private bool TryTakeId(out int id)
    {
        if (_freeCount > 0)
        {
            id = _freeIds[--_freeCount];
            return true;
        }

        id = _unusedId;
        if (_unusedId == _slots.Length)
        {
            return false;
        }

        _unusedId++;
        return true;
    }

    // Collects the calls that were never passed to the connection. Their slots have the number of the buffer that is being filled.
    private void TakeUnwritten(List<(Call Call, long Version)> into)
    {
        for (int id = 0; id < _unusedId; id++)
        {
            ref PipelineSlot slot = ref _slots[id];
            if (slot.Call is { } call && slot.Buffer == _bufferNumber)
            {
                Take(ref slot, call, into);
                _freeIds[_freeCount++] = id;
            }
        }
    }

    private void TakeAll(List<(Call Call, long Version)> into)
    {
        for (int id = 0; id < _unusedId; id++)
        {
            ref PipelineSlot slot = ref _slots[id];
            if (slot.Call is { } call)
            {
                Take(ref slot, call, into);
            }
        }
    }

    private static void Take(ref PipelineSlot slot, Call call, List<(Call Call, long Version)> into)
    {
        if (!slot.IsAbandoned)
        {
            into.Add((call, slot.Version));
        }

        slot.Call = null;
    }

    private static void FailAll(List<(Call Call, long Version)> calls, in Failure failure)
    {
        foreach ((Call call, long version) in calls)
        {
            call.Fail(version, failure);
        }
    }

    private void CompleteIfAnswered()
    {
        bool isAnswered;
        lock (_lock)
        {
            isAnswered = _isRetired && _unusedId == _freeCount && !_isEnded;
        }

        if (isAnswered)
        {
            _call.CompleteWriting();
        }
    }

    private byte[] Utf8Of(string cache)
    {
        EncodedName? last = Volatile.Read(ref _otherCache);
        if (last is null || last.Name != cache)
        {
            last = new EncodedName(cache, Encoding.UTF8.GetBytes(cache));
            Volatile.Write(ref _otherCache, last);
        }

        return last.Utf8;
    }

    private Failure FailureOf(Exception exception) => exception is RpcException failed
        ? Failure.From(failed) with { Shown = Shown }
        : new Failure(StatusCode.Unavailable, $"The stream was lost: {exception.Message}") { Exception = exception };

    // The name of a cache and its UTF-8 bytes. Both are in one object, so that a thread never combines the name of one cache with the bytes of another cache.
    private sealed record EncodedName(string Name, byte[] Utf8);
}
