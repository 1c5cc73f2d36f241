using System.Buffers.Binary;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>What each kind of frame does.</summary>
internal sealed partial class RpcConnection
{
    private const int PriorityBytes = 5;

    private void OnFrame(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!_hasSettings && header.Type != Http2FrameType.Settings)
        {
            throw Http2ConnectionException.Protocol("the connection does not begin with settings");
        }

        if (_blockStreamId != 0 && header.Type != Http2FrameType.Continuation)
        {
            throw Http2ConnectionException.Protocol("a header block was interrupted");
        }

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
        ReadOnlySpan<byte> data = WithoutPadding(header, payload);
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

        stream.Input.Add(data);
        if (endsStream)
        {
            stream.Input.End();
        }

        OnInput(stream, data.Length);
    }

    private void OnReset(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        RequireLength(payload, 4, "RST_STREAM");
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
        if (header.StreamId != 0)
        {
            throw Http2ConnectionException.Protocol("settings on a stream");
        }

        if (header.Has(Http2FrameHeader.Acknowledged))
        {
            RequireLength(payload, 0, "SETTINGS acknowledgement");
            return;
        }

        if (payload.Length % 6 != 0)
        {
            throw Http2ConnectionException.FrameSize("settings are cut off");
        }

        lock (_lock)
        {
            for (; payload.Length > 0; payload = payload[6..])
            {
                Apply((Http2Setting)BinaryPrimitives.ReadUInt16BigEndian(payload), BinaryPrimitives.ReadUInt32BigEndian(payload[2..]));
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
            case Http2Setting.EnablePush when value > 1:
                throw Http2ConnectionException.Protocol("ENABLE_PUSH is neither 0 nor 1");
            case Http2Setting.InitialWindowSize:
                ChangeInitialWindow(value);
                break;
            case Http2Setting.MaxFrameSize:
                _maxFrameBytes = value is >= Http2Limits.FrameBytes and <= 0xFF_FFFF
                    ? (int)Math.Min(value, MaxDataFrameBytes)
                    : throw Http2ConnectionException.Protocol("MAX_FRAME_SIZE is out of range");
                break;
        }
    }

    private void OnPing(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        RequireLength(payload, 8, "PING");
        if (header.StreamId != 0)
        {
            throw Http2ConnectionException.Protocol("a ping on a stream");
        }

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
        RequireLength(payload, 4, "WINDOW_UPDATE");
        int increment = BinaryPrimitives.ReadInt32BigEndian(payload) & int.MaxValue;
        if (increment == 0)
        {
            throw Http2ConnectionException.Protocol("a window grows by nothing");
        }

        if (header.StreamId > _lastStreamId)
        {
            throw Http2ConnectionException.Protocol("a window of a stream that was never opened");
        }

        lock (_lock)
        {
            GrowSendWindow(header.StreamId, increment);
        }
    }

    private static ReadOnlySpan<byte> WithoutPadding(Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!header.Has(Http2FrameHeader.Padded))
        {
            return payload;
        }

        if (payload.IsEmpty || payload[0] >= payload.Length)
        {
            throw Http2ConnectionException.Protocol("the padding is longer than its frame");
        }

        return payload[1..^payload[0]];
    }

    private static void RequireLength(ReadOnlySpan<byte> payload, int length, string what)
    {
        if (payload.Length != length)
        {
            throw Http2ConnectionException.FrameSize($"{what} of {payload.Length} bytes");
        }
    }
}
