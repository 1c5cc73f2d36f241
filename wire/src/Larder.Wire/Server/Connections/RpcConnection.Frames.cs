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
            default:
                // Priorities, which nobody follows any more; a client's goodbye, which its closing says again; and kinds that nobody knows.
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
        if (FindForInput(header.StreamId) is not { } stream)
        {
            GiveBack(payload.Length);
            return;
        }

        if (Interlocked.Add(ref stream.ReceiveWindow, -payload.Length) < 0)
        {
            throw Http2ConnectionException.FlowControl("a stream sent more than its window");
        }

        stream.ReceivedBytes += data.Length;
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
        if (header.StreamId == 0 || header.StreamId > _lastStreamId)
        {
            throw Http2ConnectionException.Protocol("a reset of a stream that was never opened");
        }

        if (Find(header.StreamId) is { } stream)
        {
            Abandon(stream, "The client reset the stream.");
        }
    }

    private void OnSettings(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        _floods.CountSettings();
        _hasSettings = true;
        SettingsReader settings = new(header, payload);
        if (settings.IsAnswer)
        {
            return;
        }

        lock (_lock)
        {
            while (settings.TryRead(out Http2Setting setting, out uint value))
            {
                Apply(setting, value);
            }

            _pending.AddSettingsAnswer();
        }
    }

    // Under the lock.
    private void Apply(Http2Setting setting, uint value)
    {
        switch (setting)
        {
            case Http2Setting.HeaderTableSize:
                _answers.OnTableSize(value);
                break;
            case Http2Setting.InitialWindowSize:
                ChangeInitialWindow((int)value);
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
            OnPingAnswer();
            return;
        }

        _floods.CountOther();
        lock (_lock)
        {
            _pending.AddPing(payload, isAnswer: true);
        }
    }

    private void OnWindowUpdate(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        int increment = FramePayload.WindowIncrement(header, payload);
        if (header.StreamId > _lastStreamId)
        {
            throw Http2ConnectionException.Protocol("a window of a stream that was never opened");
        }

        lock (_lock)
        {
            GrowSendWindow(header.StreamId, increment);
        }
    }
}
