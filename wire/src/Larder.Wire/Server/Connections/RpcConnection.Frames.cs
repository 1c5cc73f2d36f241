using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>What each kind of frame does.</summary>
internal sealed partial class RpcConnection
{
    private void OnFrame(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!_hasSettings && header.Type != Http2FrameType.Settings)
        {
            throw Http2ConnectionException.Protocol("the connection does not begin with settings");
        }

        _headerBlock.CheckOrder(header);
        switch (header.Type)
        {
            case Http2FrameType.Data:
                OnData(header, payload);
                break;
            case Http2FrameType.Headers:
                OnHeaders(header, payload);
                break;
            case Http2FrameType.Continuation:
                OnContinuation(header, payload);
                break;
            case Http2FrameType.ResetStream:
                OnReset(header, payload);
                break;
            case Http2FrameType.Settings:
                OnSettings(header, payload);
                break;
            case Http2FrameType.Ping:
                OnPing(header, payload);
                break;
            case Http2FrameType.WindowUpdate:
                OnWindowUpdate(header, payload);
                break;
            case Http2FrameType.PushPromise:
                throw Http2ConnectionException.Protocol("a client promises nothing");
            case Http2FrameType.GoAway:
                // Its closing says it again.
                FramePayload.CheckGoAway(header);
                _floods.CountOther();
                break;
            case Http2FrameType.Priority:
                OnPriority(header, payload);
                break;
            default:
                // Kinds that nobody knows: RFC 9113, 5.5.
                _floods.CountOther();
                break;
        }
    }

    private void OnData(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> data = FramePayload.WithoutPadding(header, payload);
        bool endsStream = header.Has(Http2FrameHeader.EndStream);
        if (data.IsEmpty && !endsStream)
        {
            _floods.CountEmptyData();
        }

        TakeFromConnectionWindow(payload.Length);
        if (FindForInput(header) is not { } stream)
        {
            GiveBack(payload.Length);
            return;
        }

        if (!stream.Receiving.TryReceive(payload.Length))
        {
            throw Http2ConnectionException.FlowControl("a stream sent more than its window");
        }

        stream.ReceivedBytes += data.Length;
        if (stream.BreaksContentLength(endsStream))
        {
            GiveBack(payload.Length);
            ResetStream(stream, Http2ErrorCode.ProtocolError);
            return;
        }

        if (data.Length < payload.Length)
        {
            OnConsumed(stream, payload.Length - data.Length);
        }

        if (!TryAdd(stream, data))
        {
            return;
        }

        if (endsStream)
        {
            stream.Input.End();
        }

        OnInput(stream, data.Length);
    }

    private void OnReset(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        // Whatever its reason.
        _ = FramePayload.ErrorCode(header, payload);
        _floods.CountReset();
        RequireOpened(header);
        if (Find(header.StreamId) is { } stream)
        {
            lock (_lock)
            {
                _closed.OnReset(header.StreamId);
            }

            Abandon(stream, "The client reset the stream.");
        }
    }

    private void OnSettings(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        SettingsReader settings = new(header, payload);
        _floods.CountSettings(settings.Entries);
        if (settings.IsAnswer)
        {
            if (!_hasSettings)
            {
                throw Http2ConnectionException.Protocol("the connection begins with an answer to settings");
            }

            return;
        }

        _hasSettings = true;
        lock (_lock)
        {
            int window = _initialSendWindow;
            while (settings.TryRead(out Http2Setting setting, out uint value))
            {
                Apply(setting, value, ref window);
            }

            // Once for a frame, whatever it says on the way: each change touches every stream.
            ChangeInitialWindow(window);
            Gathered.AddSettingsAnswer();
        }
    }

    // Under the lock.
    private void Apply(Http2Setting setting, uint value, ref int window)
    {
        switch (setting)
        {
            case Http2Setting.HeaderTableSize:
                _answers.OnTableSize(value);
                break;
            case Http2Setting.InitialWindowSize:
                window = (int)value;
                break;
            case Http2Setting.MaxFrameSize:
                _maxFrameBytes = (int)Math.Min(value, MaxDataFrameBytes);
                break;
        }
    }

    private void OnPing(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        FramePayload.CheckPing(header);
        if (header.Has(Http2FrameHeader.Acknowledged))
        {
            _floods.CountOther();
            OnPingAnswer();
            return;
        }

        bool isAllowed;
        lock (_lock)
        {
            isAllowed = _allowance.TryTakePing();
            Gathered.AddPing(payload, isAnswer: true);
        }

        if (!isAllowed)
        {
            _floods.CountOther();
        }
    }

    private void OnPriority(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        _floods.CountOther();
        if (!FramePayload.CheckPriority(header, payload))
        {
            FailStream(header, Http2ErrorCode.FrameSizeError);
        }
    }

    private void OnWindowUpdate(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        int increment = FramePayload.WindowIncrement(header, payload);
        bool isAllowed;
        bool fits;
        lock (_lock)
        {
            isAllowed = _allowance.TryTakeUpdate();
            fits = header.StreamId == 0 ? TryGrowSendWindow(increment) : increment > 0 && TryGrowSendWindow(header, increment);
        }

        if (!isAllowed)
        {
            _floods.CountWindowUpdate();
        }

        if (!fits)
        {
            FailStream(header, increment > 0 ? Http2ErrorCode.FlowControlError : Http2ErrorCode.ProtocolError);
        }
    }

    // Ends a stream for its client's fault; one that is no more has nothing to end, and one that never was ends the connection.
    private void FailStream(Http2FrameHeader header, Http2ErrorCode code)
    {
        if (header.StreamId > _lastStreamId)
        {
            throw new Http2ConnectionException(code, $"a {header.Type} frame that may not be, of a stream that was never opened");
        }

        if (Find(header.StreamId) is { } stream)
        {
            ResetStream(stream, code);
        }
    }

    private void RequireOpened(Http2FrameHeader header)
    {
        if (header.StreamId == 0 || header.StreamId > _lastStreamId || (header.StreamId & 1) == 0)
        {
            throw Http2ConnectionException.Protocol($"a {header.Type} frame of a stream that was never opened");
        }
    }
}
