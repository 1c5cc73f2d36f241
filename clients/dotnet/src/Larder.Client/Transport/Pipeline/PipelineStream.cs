using System.Text;
using Larder.Client.Calls;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <summary>
/// One stream of the pipelined transport: its ids, the buffers that calls are encoded into, and the responses that the connection delivers.
/// <para>
/// Design: a call takes the lock once: it takes an id, is encoded at the end of the filling buffer, and signals the connection unless it is already signalled.
/// When the connection sends, it fetches what is available (PipelineStream.Writing.cs): a single call leaves at once, and calls made during a send leave
/// together in the next. The reader (PipelineStream.Reading.cs) takes no lock per response: it clears the slot, and returns all ids of one read together. An
/// abandoned call leaves its slot marked until its response arrives.
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
    private bool _isRetired;
    private bool _isEnded;
    private EncodedName? _otherCache;

    /// <param name="host">The transport.</param>
    /// <param name="channel">The stream's own connection, which is closed with it.</param>
    /// <param name="call">The open call.</param>
    /// <param name="cache">The name of the cache in the call's metadata, or empty.</param>
    /// <param name="ids">The maximum number of ids in use (PIPE-16).</param>
    /// <param name="shown">The number of the provider's token that opened the stream, or 0 without a provider.</param>
    /// <param name="near">The client's near cache, or null.</param>
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

    /// <summary>Gets the name of the cache in the call's metadata, or empty.</summary>
    public string Cache => _cache;

    /// <summary>Gets the number of the provider's token that opened the stream. The stream keeps this token.</summary>
    public int Shown { get; }

    /// <summary>Gets the number of calls without a response, including abandoned ones.</summary>
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

    /// <summary>As <see cref="Outstanding"/>, but read without the lock and possibly outdated: for choosing among gateways.</summary>
    public int Load => Volatile.Read(ref _unusedId) - Volatile.Read(ref _freeCount);

    public void Run()
    {
        _call.Send(this);
        _call.Receive(this);
    }

    /// <summary>Sends a call, which must be Busy and is Sent afterwards. Returns false, without changing the call, if the stream accepts no more.</summary>
    public bool TrySend(Call call, long version)
    {
        int requestBytes = call.Measure();
        byte[]? otherCache = ReferenceEquals(call.Cache, _cache) || call.Cache == _cache ? null : Utf8Of(call.Cache);
        uint deadlineMs = _host.Clock.MillisecondsUntil(call.Attempts == 0 ? call.GrantedAt : _host.Clock.Now, call.DeadlineAt);
        if (!TryWrite(call, version, requestBytes, otherCache, deadlineMs, out bool signals))
        {
            Retire("it has used all its call ids");
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
            // Must precede any write of the call, so that no response finds it Busy.
            call.Leave(version, CallPhase.Sent);
            signals = MustSignal();
            return true;
        }
    }

    /// <summary>Abandons a call: its id stays in use until the response arrives, and the server is asked to cancel the call.</summary>
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

    /// <summary>Stops accepting calls. Calls that were not written yet fail as never run. The others are still answered, then the stream ends.</summary>
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
        _host.OnRetired(this, reason);
        FailAll(unwritten, new Failure(StatusCode.Unavailable, $"The stream was replaced before the call was written: {reason}.") { NotProcessed = true });
        CompleteIfAnswered();
    }

    /// <summary>Ends the stream at once; every call without a response fails, once.</summary>
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
        _host.OnEnded(this, unwritten.Count + written.Count, failure.Message, failure.Code == StatusCode.Unauthenticated);
        FailAll(unwritten, new Failure(failure.Code, failure.Message) { NotProcessed = true, Exception = failure.Exception, Shown = Shown });
        FailAll(written, failure);
        await _call.DisposeAsync().ConfigureAwait(false);
        await _channel.DisposeAsync().ConfigureAwait(false);
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

    // Calls with the number of the filling buffer were never handed to the connection.
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

    // A single reference, so that two threads never combine the name of one cache with the bytes of another.
    private sealed record EncodedName(string Name, byte[] Utf8);
}
