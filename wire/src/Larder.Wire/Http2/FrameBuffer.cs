using System.Buffers.Binary;

namespace Larder.Wire.Http2;

/// <summary>Frames waiting to be written. Not thread-safe: the connection's lock guards it.</summary>
/// <param name="keptBytes">What is kept between writes; a larger array goes back to the pool once it is written. By default most of what travels at once
/// fits.</param>
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

    /// <summary>Adds a block of headers, in as many frames as it needs.</summary>
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

    /// <summary>Where the data of a frame may be put before it is added: behind the place of its header, and at least <paramref name="least"/> bytes.</summary>
    public Span<byte> DataRoom(int least) => _bytes.GetSpan(Http2FrameHeader.Size + least)[Http2FrameHeader.Size..];

    /// <summary>Adds a frame of data whose bytes were put into <see cref="DataRoom"/>.</summary>
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

    /// <param name="code">Why.</param>
    /// <param name="lastStreamId">The last stream of the peer's that was taken; 0 for a client's word to a server, which opens none.</param>
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
