using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <summary>A buffer of frames that wait to be written. It is not thread-safe, so callers must hold the connection's lock.</summary>
/// <param name="keptBytes">
/// The size, in bytes, of the array that is kept between writes. A larger array is returned to the pool after its frames are written. Most batches of frames
/// fit into the default size.
/// </param>
internal sealed class FrameBuffer(int keptBytes = 64 * 1024) : IDisposable
{
    private readonly PooledBuffer _bytes = new(keptBytes);

    public int Length => _bytes.Written;

    public bool IsEmpty => _bytes.Written == 0;

    public ReadOnlyMemory<byte> Written => _bytes.WrittenMemory;

    public void Clear() => _bytes.Reset(keptBytes);

    public void Add(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_bytes.GetSpan(bytes.Length));
        _bytes.Advance(bytes.Length);
    }

    /// <summary>Adds a header block, split into as many frames as necessary.</summary>
    public void AddHeaders(int streamId, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second, bool endsStream, int maxFrameBytes)
    {
        byte endStream = endsStream ? Http2FrameHeader.EndStream : (byte)0;
        if (first.Length + second.Length <= maxFrameBytes)
        {
            AddHeader(new(first.Length + second.Length, Http2FrameType.Headers, (byte)(Http2FrameHeader.EndHeaders | endStream), streamId));
            Add(first);
            Add(second);
            return;
        }

        AddLongHeaders(streamId, [.. first, .. second], endStream, maxFrameBytes);
    }

    public void AddData(int streamId, ReadOnlySpan<byte> data, bool endsStream)
    {
        AddHeader(new(data.Length, Http2FrameType.Data, endsStream ? Http2FrameHeader.EndStream : (byte)0, streamId));
        Add(data);
    }

    /// <summary>
    /// Returns a span for the data of a frame that is not yet added. The span begins after the space for the frame's header, and is at least
    /// <paramref name="least"/> bytes long.
    /// </summary>
    public Span<byte> DataSpan(int least) => _bytes.GetSpan(Http2FrameHeader.Size + least)[Http2FrameHeader.Size..];

    /// <summary>Adds a DATA frame whose data the caller has already written to <see cref="DataSpan"/>.</summary>
    public void AddedData(int streamId, int length)
    {
        AddHeader(new(length, Http2FrameType.Data, 0, streamId));
        _bytes.Advance(length);
    }

    public void AddReset(int streamId, Http2ErrorCode code)
    {
        AddHeader(new(4, Http2FrameType.ResetStream, 0, streamId));
        AddInt32((int)code);
    }

    public void AddWindowUpdate(int streamId, int bytes)
    {
        AddHeader(new(4, Http2FrameType.WindowUpdate, 0, streamId));
        AddInt32(bytes);
    }

    public void AddPing(ReadOnlySpan<byte> payload, bool isAnswer)
    {
        AddHeader(new(payload.Length, Http2FrameType.Ping, isAnswer ? Http2FrameHeader.Acknowledged : (byte)0, 0));
        Add(payload);
    }

    public void AddSettings(params ReadOnlySpan<(Http2Setting Id, int Value)> settings)
    {
        AddHeader(new(settings.Length * 6, Http2FrameType.Settings, 0, 0));
        foreach ((Http2Setting id, int value) in settings)
        {
            BinaryPrimitives.WriteUInt16BigEndian(_bytes.GetSpan(2), (ushort)id);
            _bytes.Advance(2);
            AddInt32(value);
        }
    }

    public void AddSettingsAnswer() => AddHeader(new(0, Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0));

    /// <summary>Adds a GOAWAY frame.</summary>
    /// <param name="code">The reason for closing the connection.</param>
    /// <param name="lastStreamId">The last stream of the peer that was accepted. A client passes 0, because a server opens no streams.</param>
    public void AddGoAway(Http2ErrorCode code, int lastStreamId = 0)
    {
        AddHeader(new(8, Http2FrameType.GoAway, 0, 0));
        AddInt32(lastStreamId);
        AddInt32((int)code);
    }

    public void Dispose() => _bytes.Dispose();

    private void AddLongHeaders(int streamId, ReadOnlySpan<byte> block, byte endStream, int maxFrameBytes)
    {
        for (int added = 0; added < block.Length;)
        {
            int length = Math.Min(maxFrameBytes, block.Length - added);
            bool isFirst = added == 0;
            byte flags = (byte)((isFirst ? endStream : 0) | (added + length == block.Length ? Http2FrameHeader.EndHeaders : 0));
            AddHeader(new(length, isFirst ? Http2FrameType.Headers : Http2FrameType.Continuation, flags, streamId));
            Add(block.Slice(added, length));
            added += length;
        }
    }

    private void AddHeader(Http2FrameHeader header)
    {
        header.Write(_bytes.GetSpan(Http2FrameHeader.Size));
        _bytes.Advance(Http2FrameHeader.Size);
    }

    private void AddInt32(int value)
    {
        BinaryPrimitives.WriteInt32BigEndian(_bytes.GetSpan(4), value);
        _bytes.Advance(4);
    }
}
