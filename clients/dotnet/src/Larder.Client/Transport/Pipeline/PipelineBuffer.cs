using System.Buffers;
using System.Buffers.Binary;
using Larder.Client.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Client.Pipeline;

/// <summary>
/// Batches waiting to be written: frames of <c>Batch</c> messages, one after the other, operations encoded straight into them. Not thread-safe: the
/// stream's lock guards it while it fills. Grows with what is in flight, whose bound is the stream's ids.
/// </summary>
internal sealed class PipelineBuffer
{
    private const int HeaderBytes = 5;
    private const int CancelField = 7;
    private const int NearField = 64;
    private const int FirstBytes = 64 * 1024;

    // A larger array than this goes back to the pool once it is written: a burst is not kept.
    private const int KeptBytes = 1024 * 1024;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
    private int _length;
    private int _taken;
    private int _messageStart = -1;

    public bool IsEmpty => _length == 0;

    /// <summary>Adds a call. <paramref name="requestBytes"/> is what it measures.</summary>
    public void AddCall(Call call, int requestBytes, uint id, byte[]? cache, uint deadlineMs)
    {
        int field = call.Operation.PipelineField;
        int length = ProtoWriter.VarintFieldLength(1, id)
            + (cache is null ? 0 : ProtoWriter.BytesFieldLength(2, cache.Length))
            + ProtoWriter.VarintFieldLength(3, deadlineMs)
            + (call.NearGet is null ? 0 : ProtoWriter.VarintFieldLength(NearField, 1))
            + ProtoWriter.BytesFieldLength(field, requestBytes);
        ProtoWriter writer = new(Operation(length));
        writer.WriteLengthPrefix(1, length);
        writer.WriteVarintField(1, id);
        if (cache is not null)
        {
            writer.WriteBytesField(2, cache);
        }

        writer.WriteVarintField(3, deadlineMs);
        if (call.NearGet is not null)
        {
            writer.WriteVarintField(NearField, 1);
        }

        writer.WriteLengthPrefix(field, requestBytes);
        call.Write(ref writer);
    }

    /// <summary>Adds the wish to drop a call (PIPE-7).</summary>
    public void AddCancel(uint id) => AddEmpty(id, CancelField);

    /// <summary>Adds an operation that is an empty message in this field.</summary>
    public void AddEmpty(uint id, int field)
    {
        int length = ProtoWriter.VarintFieldLength(1, id) + ProtoWriter.BytesFieldLength(field, 0);
        ProtoWriter writer = new(Operation(length));
        writer.WriteLengthPrefix(1, length);
        writer.WriteVarintField(1, id);
        writer.WriteLengthPrefix(field, 0);
    }

    /// <summary>Ends the message that is open, by its length.</summary>
    public void EndMessage()
    {
        if (_messageStart >= 0)
        {
            BinaryPrimitives.WriteUInt32BigEndian(_bytes.AsSpan(_messageStart + 1), (uint)(_length - _messageStart - HeaderBytes));
            _messageStart = -1;
        }
    }

    /// <summary>Copies as much as there is, and there is room for; after <see cref="EndMessage"/>. With the last byte it is empty again.</summary>
    public int Take(Span<byte> room)
    {
        int length = Math.Min(room.Length, _length - _taken);
        _bytes.AsSpan(_taken, length).CopyTo(room);
        _taken += length;
        if (_taken == _length)
        {
            Clear();
        }

        return length;
    }

    /// <summary>Empties it, for the next calls.</summary>
    public void Clear()
    {
        _length = 0;
        _taken = 0;
        _messageStart = -1;
        if (_bytes.Length > KeptBytes)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
        }
    }

    // Room for one operation of this length, with its tag and length before it.
    private Span<byte> Operation(int length)
    {
        if (_messageStart >= 0 && _length - _messageStart - HeaderBytes >= PipelineLimits.MessageBytes)
        {
            EndMessage();
        }

        int whole = ProtoWriter.BytesFieldLength(1, length);
        EnsureRoom(HeaderBytes + whole);
        if (_messageStart < 0)
        {
            _messageStart = _length;
            _bytes.AsSpan(_length, HeaderBytes).Clear();
            _length += HeaderBytes;
        }

        Span<byte> room = _bytes.AsSpan(_length, whole);
        _length += whole;
        return room;
    }

    private void EnsureRoom(int more)
    {
        if (_bytes.Length - _length >= more)
        {
            return;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(_bytes.Length * 2, _length + more));
        _bytes.AsSpan(0, _length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
