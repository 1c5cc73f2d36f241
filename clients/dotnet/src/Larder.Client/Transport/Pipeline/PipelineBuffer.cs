using System.Buffers;
using System.Buffers.Binary;
using Larder.Client.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Client.Pipeline;

/// <summary>
/// A buffer of encoded <c>Batch</c> messages that wait to be written. Operations are encoded directly into the buffer. It is not thread-safe: the stream's lock
/// guards the buffer while it is being filled. Its size is limited, because each call in flight needs one of the stream's ids.
/// </summary>
internal sealed class PipelineBuffer
{
    private const int HeaderBytes = 5;
    private const int CancelField = 7;
    private const int NearField = 64;
    private const int FirstBytes = 64 * 1024;

    // An array that is larger than this is returned to the array pool when its bytes have been written, so that a burst of calls does not use memory
    // permanently.
    private const int KeptBytes = 1024 * 1024;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
    private int _length;
    private int _taken;
    private int _messageStart = -1;

    public bool IsEmpty => _length == 0;

    /// <summary>Adds a call. <paramref name="requestBytes"/> is the measured size of the call's request.</summary>
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

    /// <summary>Adds a request to cancel a call (PIPE-7).</summary>
    public void AddCancel(uint id) => AddEmpty(id, CancelField);

    /// <summary>Adds an operation without arguments. The operation's field <paramref name="field"/> contains an empty message.</summary>
    public void AddEmpty(uint id, int field)
    {
        int length = ProtoWriter.VarintFieldLength(1, id) + ProtoWriter.BytesFieldLength(field, 0);
        ProtoWriter writer = new(Operation(length));
        writer.WriteLengthPrefix(1, length);
        writer.WriteVarintField(1, id);
        writer.WriteLengthPrefix(field, 0);
    }

    /// <summary>Ends the current message by writing its length.</summary>
    public void EndMessage()
    {
        if (_messageStart >= 0)
        {
            BinaryPrimitives.WriteUInt32BigEndian(_bytes.AsSpan(_messageStart + 1), (uint)(_length - _messageStart - HeaderBytes));
            _messageStart = -1;
        }
    }

    /// <summary>
    /// Copies as many bytes as are available and fit into <paramref name="room"/>. Returns the number of bytes. Must be called after <see cref="EndMessage"/>.
    /// The buffer is cleared when the last byte is copied.
    /// </summary>
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

    /// <summary>Clears the buffer for the next calls.</summary>
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

    // Reserves space for an operation of this length, and writes its tag and length prefix.
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
