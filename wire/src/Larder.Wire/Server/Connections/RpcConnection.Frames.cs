using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Contains the handlers of each frame type.</summary>
internal sealed partial class RpcConnection : IFrameOwner
{
    private readonly FrameInput _frames;

    void IFrameOwner.OnData(in Http2FrameHeader header, ReadOnlySpan<byte> data)
    {
        bool endsStream = header.Has(Http2FrameHeader.EndStream);
        if (data.IsEmpty && !endsStream)
        {
            _floods.CountEmptyData();
        }

        TakeFromConnectionWindow(header.Length);
        if (FindForInput(header) is not { } stream)
        {
            GiveBack(header.Length);
            return;
        }

        if (!stream.Receiving.TryReceive(header.Length))
        {
            throw Http2ConnectionException.FlowControl("the client sent more data on a stream than its flow-control window allows");
        }

        stream.ReceivedBytes += data.Length;
        if (stream.BreaksContentLength(endsStream))
        {
            GiveBack(header.Length);
            ResetStream(stream, Http2ErrorCode.ProtocolError);
            return;
        }

        if (data.Length < header.Length)
        {
            OnConsumed(stream, header.Length - data.Length);
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

    // Handles RST_STREAM. The error code is ignored.
    void IFrameOwner.OnReset(in Http2FrameHeader header, uint code)
    {
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

    void IFrameOwner.OnSettings(SettingsReader settings)
    {
        _floods.CountSettings(settings.Entries);
        lock (_lock)
        {
            int window = _initialSendWindow;
            while (settings.TryRead(out Http2Setting setting, out uint value))
            {
                Apply(setting, value, ref window);
            }

            // The setting is applied once per frame, even if the frame contains it several times, because each change must update every stream.
            ChangeInitialWindow(window);
            Gathered.AddSettingsAnswer();
        }
    }

    // Applies a setting of the client. The caller must hold the lock.
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

    void IFrameOwner.OnPing(ReadOnlySpan<byte> payload, bool isAnswer)
    {
        if (isAnswer)
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

    // Handles GOAWAY. No action is needed, because the client closes the connection afterwards.
    void IFrameOwner.OnGoAway(int lastStreamId, uint code) => _floods.CountOther();

    void IFrameOwner.OnIdle(in Http2FrameHeader header)
    {
        switch (header.Type)
        {
            case Http2FrameType.Settings:
                _floods.CountSettings(entries: 0);
                break;
            case Http2FrameType.Continuation:
                _floods.CountContinuation();
                break;
            default:
                _floods.CountOther();
                break;
        }
    }

    bool IFrameOwner.OnWindowUpdate(in Http2FrameHeader header, int increment)
    {
        bool isAllowed;
        bool fits;
        lock (_lock)
        {
            isAllowed = _allowance.TryTakeUpdate();
            fits = header.StreamId == 0 ? TryGrowSendWindow(increment) : TryGrowSendWindow(header, increment);
        }

        if (!isAllowed)
        {
            _floods.CountWindowUpdate();
        }

        return fits;
    }

    void IFrameOwner.FailStream(in Http2FrameHeader header, Http2ErrorCode code, string what)
    {
        if (header.StreamId > _lastStreamId)
        {
            throw new Http2ConnectionException(code, $"{what} (the stream was never opened)");
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
            throw Http2ConnectionException.Protocol($"a {header.Type} frame arrived on a stream that was never opened");
        }
    }
}
