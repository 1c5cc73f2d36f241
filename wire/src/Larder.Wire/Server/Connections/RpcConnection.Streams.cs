using System.Runtime.InteropServices;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>Contains the code that starts calls and handles their input.</summary>
internal sealed partial class RpcConnection
{
    // The maximum number of ended streams that are kept so that later calls can reuse them. The buffers of a stream take about 8 KB.
    private const int MaxFreeStreams = 100;

    // The maximum number of calls that the client has reset but whose handlers still run. A reset stream no longer counts against the client's limit (RFC 9113,
    // section 5.1.2), so these calls have their own limit. This limit equals the number of resets that are allowed in a burst (see FloodGuard). Calls above
    // this limit are refused.
    private const int MaxAbandonedCalls = 1_000;

    // The maximum size of a call's headers. They normally take a few hundred bytes, and a token may take a few KB.
    private const int MaxHeaderListBytes = 32 * 1024;

    private readonly HpackDecoder _decoder = new(HpackEncoder.DefaultTableSize, MaxHeaderListBytes);
    private readonly RequestHead _head = new();
    private readonly Dictionary<int, RpcStream> _streams = [];
    private readonly Stack<RpcStream> _free = new();
    private readonly List<RpcStream> _toWake = [];
    private readonly ClosedStreams _closed = new();
    private RpcStream? _latest;
    private int _lastStreamId;
    private bool _hasEnded;
    private int _abandonedCalls;

    void IFrameOwner.OnHeaders(int id, ReadOnlySpan<byte> block, bool endsStream)
    {
        if (id <= _lastStreamId)
        {
            OnTrailers(id, block, endsStream);
            return;
        }

        NoteOpened(id);
        RpcStream? stream = _isClosed || HasNoPlace() ? null : TryRent();
        if (stream is null)
        {
            _head.Begin(null);
            _decoder.Decode(block, _head);
            WriteReset(id, Http2ErrorCode.RefusedStream);
            return;
        }

        // The headers are decoded first, because a stream becomes a call only if its headers are valid.
        stream.Headers.Clear();
        _head.Begin(stream.Headers);
        _decoder.Decode(block, _head);
        string? refusal = _head.Refusal();
        if (_head.IsMalformed || (endsStream && _head.ContentLength > 0))
        {
            WriteReset(id, Http2ErrorCode.ProtocolError);
            GiveBack(stream);
            return;
        }

        stream.Prepare(id, _options.WindowBytes, NowMs);
        stream.ContentLength = _head.ContentLength;
        Add(stream);
        if (endsStream)
        {
            stream.Input.End();
        }

        if (refusal is not null)
        {
            Refuse(stream, refusal);
            return;
        }

        if (_head.FieldsTooMany > 0)
        {
            _floods.CountFieldsTooMany(_head.FieldsTooMany);
            RefuseFields(stream);
            return;
        }

        Open(stream);
    }

    private void NoteOpened(int id)
    {
        if (id != _lastStreamId + 2)
        {
            lock (_lock)
            {
                _closed.OnOpened(_lastStreamId, id);
            }
        }

        _lastStreamId = id;
    }

    // Registers and counts a stream. The method Remove reverses this.
    private void Add(RpcStream stream)
    {
        lock (_lock)
        {
            stream.TryMove(RpcStreamPhase.Arriving);
            stream.SendWindow = _initialSendWindow;
            _streams.Add(stream.Id, stream);
        }

        _latest = stream;
        _router.Observer?.OnStreamOpened();
    }

    // Returns whether a new call must be refused. The counts are read without the lock, because calls that end concurrently only free places.
    private bool HasNoPlace()
    {
        int abandoned = Volatile.Read(ref _abandonedCalls);
        return abandoned >= MaxAbandonedCalls || _streams.Count - abandoned >= _options.MaxStreamsPerConnection;
    }

    // Handles trailers of a client. They have no meaning in gRPC, but they end the stream.
    private void OnTrailers(int id, ReadOnlySpan<byte> block, bool endsStream)
    {
        _head.BeginTrailers();
        _decoder.Decode(block, _head);
        if (_head.FieldsTooMany > 0)
        {
            _floods.CountFieldsTooMany(_head.FieldsTooMany);
        }

        if (FindForInput(new Http2FrameHeader(0, Http2FrameType.Headers, 0, id)) is not { } stream)
        {
            return;
        }

        // The trailers do not end the stream or are invalid, or the body does not match its declared length.
        if (!endsStream || _head.IsMalformed || stream.BreaksContentLength(isEnd: true))
        {
            ResetStream(stream, Http2ErrorCode.ProtocolError);
            return;
        }

        stream.Input.End();
        OnInput(stream, 0);
    }

    private void Open(RpcStream stream)
    {
        RpcContext call = stream.Call;
        call.Path = _head.Path;
        RpcRoute? route = _router.Open(call);
        stream.Route = route;
        if (route is null)
        {
            if (TryStart(stream))
            {
                _router.Finish(call);
            }
        }
        else if (route is DuplexRoute || stream.Input.IsEnded)
        {
            Run(stream, route);
        }
    }

    private void OnInput(RpcStream stream, int count)
    {
        if (stream.Route is DuplexRoute)
        {
            _toWake.Add(stream);
            return;
        }

        if (stream.HasStarted)
        {
            // The call was already rejected, so further data is dropped.
            OnConsumed(stream, count);
            return;
        }

        // The message limit already limits the size of a request with a single message. So the stream's window is replenished while the request arrives.
        if (count > 0 && !stream.Input.IsEnded)
        {
            OnConsumed(stream, count);
        }
        else
        {
            GiveBack(count);
        }

        RunIfWhole(stream);
    }

    private void RunIfWhole(RpcStream stream)
    {
        if (stream.Input.IsEnded)
        {
            Run(stream, stream.Route!);
            return;
        }

        try
        {
            RequestMessage.CheckArriving(stream.Input.Arrived, stream.Route!.MaxRequestBytes);
            stream.Input.Expect();
        }
        catch (RpcException tooMuch)
        {
            FailRequest(stream, tooMuch);
        }
    }

    // Large requests and compressed requests, which may become large, are handled on a worker. This thread must not be busy for long, because it also reads for
    // other connections.
    private void Run(RpcStream stream, RpcRoute route)
    {
        if (!TryStart(stream))
        {
            return;
        }

        if (route is SingleRequestRoute && stream.Input.IsLong)
        {
            WorkScheduler.Shared.Add(Share, stream);
        }
        else
        {
            _router.Run(stream.Call, route);
        }
    }

    private void FailRequest(RpcStream stream, RpcException error)
    {
        if (stream.Route is DuplexRoute)
        {
            stream.Input.Fail(error);
            return;
        }

        if (TryStart(stream))
        {
            _router.Fail(stream.Call, error);
            _router.Finish(stream.Call);
        }
    }

    // Starts a call. Returns false if the timer has abandoned the stream, because then no client waits for the response.
    private bool TryStart(RpcStream stream)
    {
        lock (_lock)
        {
            return stream.TryMove(RpcStreamPhase.Running);
        }
    }

    private RpcStream? Find(int id)
    {
        if (_latest is { } latest && latest.Id == id && !latest.IsRemoved)
        {
            return latest;
        }

        lock (_lock)
        {
            return _streams.GetValueOrDefault(id);
        }
    }

    // Returns the open stream for DATA or trailers; null if the frame must be dropped.
    private RpcStream? FindForInput(Http2FrameHeader header)
    {
        RequireOpened(header);
        if (Find(header.StreamId) is not { IsAborted: false } stream)
        {
            CheckMayArrive(header);
            return null;
        }

        if (!stream.Input.IsEnded)
        {
            return stream;
        }

        ResetStream(stream, Http2ErrorCode.StreamClosed);
        return null;
    }

    // RFC 9113, section 5.1: the client may not yet know about streams that the server ended. On other closed streams, no frame is allowed.
    private void CheckMayArrive(Http2FrameHeader header)
    {
        lock (_lock)
        {
            if (_closed.MayStillArrive(header.StreamId))
            {
                return;
            }

            if (_closed.WasReset(header.StreamId))
            {
                // This is a stream error and not a connection error. Later frames of the stream are dropped.
                Gathered.AddReset(header.StreamId, Http2ErrorCode.StreamClosed);
                _closed.OnEnded(header.StreamId);
                return;
            }

            throw header.Type == Http2FrameType.Headers && _closed.WasSkipped(header.StreamId)
                ? Http2ConnectionException.Protocol("a new stream has a lower id than an earlier stream")
                : new Http2ConnectionException(Http2ErrorCode.StreamClosed, $"a {header.Type} frame arrived after the end of the stream");
        }
    }

    private void WakeReaders()
    {
        foreach (RpcStream stream in CollectionsMarshal.AsSpan(_toWake))
        {
            stream.Input.Wake();
        }

        _toWake.Clear();
    }
}
