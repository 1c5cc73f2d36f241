using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Pipeline;

/// <summary>
/// Collects the results of one <c>BatchResult</c> message in a reused array. The array starts with space for the gRPC prefix. To write a result, the caller
/// begins the result, writes its response message through <see cref="IBufferWriter{T}"/>, and then ends, fails or replaces the result.
/// </summary>
internal sealed class ReplyBuffer : IBufferWriter<byte>
{
    private const int PrefixBytes = 5;

    // The maximum size of the header of a result. It consists of the tag and length of the result (1 + 5), the tag and value of the ID (1 + 5), and the tag and
    // length of the outcome (2 + 5).
    private const int MaxHeaderBytes = 19;

    // The field numbers of BatchResult and Result in pipeline.proto.
    private const int ResultsField = 1;
    private const int DrainingField = 2;
    private const int InvalidatedField = 3;
    private const int ClearField = 4;
    private const int IdField = 1;
    private const int StatusField = 2;
    private const int UseUnaryField = 3;
    private const int TicketField = 64;
    private const int TtlLeftField = 65;

    // The size of the array that a stream keeps between messages. It is enough for about 60 small results.
    private const int KeptBytes = 8 * 1024;

    // The size of the array for the result of a single call. It is enough for most errors and small results. It is small because there may be thousands of such
    // arrays.
    private const int KeptForOneBytes = 256;

    // The size of an array for a full message plus one result of the maximum size, not counting the result's header. The array is rented only while a message
    // is built.
    private const int FullBytes = 2 * PipelineLimits.MessageBytes;

    private readonly DuplexStream? _stream;
    private readonly byte[] _kept;
    private byte[] _array;
    private int _heldBytes;
    private int _position = PrefixBytes;
    private int _resultStart;
    private int _taken = PrefixBytes;

    /// <param name="stream">The stream whose memory budget counts oversized messages; null if they are not counted.</param>
    /// <param name="isForOne">Whether the buffer is for the result of a single call.</param>
    public ReplyBuffer(DuplexStream? stream = null, bool isForOne = false)
    {
        _stream = stream;
        _array = _kept = new byte[isForOne ? KeptForOneBytes : KeptBytes];
    }

    /// <summary>Gets whether the buffer contains results that have not been written to the output.</summary>
    public bool HasResults => _position > PrefixBytes;

    /// <summary>Gets whether the message has reached the target size.</summary>
    public bool IsFull => _position >= PipelineLimits.MessageBytes;

    /// <summary>Gets the number of bytes of the response message that were written since <see cref="BeginResult"/> was called.</summary>
    public int ResponseLength => _position - _resultStart - MaxHeaderBytes;

    /// <summary>Begins a result. The caller then writes the response message.</summary>
    public void BeginResult()
    {
        _resultStart = _position;
        Reserve(MaxHeaderBytes);
        _position += MaxHeaderBytes;
    }

    /// <summary>
    /// Ends the result. Writes the header in the space before the response message, and moves the message so that no gap remains between them.
    /// </summary>
    public void EndResult(uint id, int outcomeField)
    {
        int responseLength = ResponseLength;
        int inner = ProtoWriter.VarintFieldLength(IdField, id) + ProtoWriter.BytesFieldLength(outcomeField, responseLength);
        int headerLength = ProtoWriter.BytesFieldLength(ResultsField, inner) - responseLength;
        _array.AsSpan(_resultStart + MaxHeaderBytes, responseLength).CopyTo(_array.AsSpan(_resultStart + headerLength));
        ProtoWriter writer = new(_array.AsSpan(_resultStart, headerLength));
        WriteHeader(ref writer, id, outcomeField, inner, responseLength);
        _position = _resultStart + headerLength + responseLength;
    }

    /// <summary>
    /// Writes the complete result of a get that found a value. This is the hot path. It computes the length first, so it does not have to move the response.
    /// </summary>
    public void WriteHit(uint id, int getField, ReadOnlySpan<byte> value)
    {
        int response = GetCall.MeasureHit(value.Length);
        int inner = ProtoWriter.VarintFieldLength(IdField, id) + ProtoWriter.BytesFieldLength(getField, response);
        int length = ProtoWriter.BytesFieldLength(ResultsField, inner);
        ProtoWriter writer = new(GetSpan(length));
        WriteHeader(ref writer, id, getField, inner, response);
        GetCall.WriteHit(ref writer, value);
        _position += length;
    }

    /// <summary>Writes the complete result of a get that found a value which the client may cache.</summary>
    public void WriteNearHit(uint id, int getField, ReadOnlySpan<byte> value, uint ticket, uint ttlLeftMs)
    {
        int response = GetCall.MeasureHit(value.Length);
        int inner = ProtoWriter.VarintFieldLength(IdField, id)
            + ProtoWriter.VarintFieldLength(TicketField, ticket + 1)
            + ProtoWriter.VarintFieldLength(TtlLeftField, ttlLeftMs)
            + ProtoWriter.BytesFieldLength(getField, response);
        int length = ProtoWriter.BytesFieldLength(ResultsField, inner);
        ProtoWriter writer = new(GetSpan(length));
        writer.WriteLengthPrefix(ResultsField, inner);
        writer.WriteVarintField(IdField, id);
        writer.WriteVarintField(TicketField, ticket + 1);
        writer.WriteVarintField(TtlLeftField, ttlLeftMs);
        writer.WriteLengthPrefix(getField, response);
        GetCall.WriteHit(ref writer, value);
        _position += length;
    }

    /// <summary>Writes the tickets of changed items.</summary>
    public void WriteInvalidated(ReadOnlySpan<uint> tickets)
    {
        int packed = 0;
        foreach (uint ticket in tickets)
        {
            packed += ProtoWriter.VarintLength(ticket);
        }

        ProtoWriter writer = new(GetSpan(ProtoWriter.BytesFieldLength(InvalidatedField, packed)));
        writer.WriteLengthPrefix(InvalidatedField, packed);
        foreach (uint ticket in tickets)
        {
            writer.WriteVarint(ticket);
        }

        _position += writer.Written;
    }

    /// <summary>Writes the notification that the client must drop all its copies.</summary>
    public void WriteClear() => WriteFlag(ClearField);

    /// <summary>Writes a complete result whose response message is already encoded.</summary>
    public void WriteResult(uint id, int outcomeField, ReadOnlySpan<byte> response)
    {
        int inner = ProtoWriter.VarintFieldLength(IdField, id) + ProtoWriter.BytesFieldLength(outcomeField, response.Length);
        int length = ProtoWriter.BytesFieldLength(ResultsField, inner);
        ProtoWriter writer = new(GetSpan(length));
        WriteHeader(ref writer, id, outcomeField, inner, response.Length);
        response.CopyTo(_array.AsSpan(_position + writer.Written));
        _position += length;
    }

    /// <summary>Discards the current result. The caller can write it later.</summary>
    public void DropResult() => _position = _resultStart;

    /// <summary>Replaces the current result with an error.</summary>
    public void FailResult(uint id, CallError error)
    {
        _position = _resultStart;
        WriteError(id, error);
    }

    /// <summary>Writes a complete error result.</summary>
    public void WriteError(uint id, CallError error)
    {
        string cause = error.Cause ?? "";
        int messageBytes = Encoding.UTF8.GetByteCount(error.Message);
        int causeBytes = Encoding.UTF8.GetByteCount(cause);
        int status = ProtoWriter.VarintFieldLength(1, (uint)error.Code)
            + ProtoWriter.BytesFieldLength(2, messageBytes)
            + (causeBytes == 0 ? 0 : ProtoWriter.BytesFieldLength(3, causeBytes));
        int inner = ProtoWriter.VarintFieldLength(IdField, id) + ProtoWriter.BytesFieldLength(StatusField, status);
        int length = ProtoWriter.BytesFieldLength(ResultsField, inner);
        ProtoWriter writer = new(GetSpan(length));
        WriteHeader(ref writer, id, StatusField, inner, status);
        writer.WriteVarintField(1, (uint)error.Code);
        WriteText(ref writer, 2, error.Message, messageBytes);
        if (causeBytes != 0)
        {
            WriteText(ref writer, 3, cause, causeBytes);
        }

        _position += length;
    }

    /// <summary>Replaces the current result with the result "use unary".</summary>
    public void ReplaceByUseUnary(uint id)
    {
        _position = _resultStart;
        WriteUseUnary(id);
    }

    /// <summary>Writes a complete result "use unary".</summary>
    public void WriteUseUnary(uint id) => WriteResult(id, UseUnaryField, []);

    /// <summary>Writes the notification that the server is draining.</summary>
    public void WriteDraining() => WriteFlag(DrainingField);

    /// <summary>Returns the number of result bytes written to the current message since the previous call.</summary>
    public int TakeWritten()
    {
        int written = _position - _taken;
        _taken = _position;
        return written;
    }

    /// <summary>
    /// Copies the message with its prefix to <paramref name="output"/> and begins the next message. Returns the length of the copied message in bytes.
    /// </summary>
    public int Emit(IBufferWriter<byte> output)
    {
        int length = _position;
        _array[0] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(_array.AsSpan(1), (uint)(length - PrefixBytes));
        output.Write(_array.AsSpan(0, length));
        LetGo();
        return length;
    }

    /// <summary>Discards the current message and releases its memory.</summary>
    public void LetGo()
    {
        ReturnArray();
        _position = _taken = PrefixBytes;
        _array = _kept;
        if (_heldBytes > 0)
        {
            _stream?.Release(_heldBytes);
            _heldBytes = 0;
        }
    }

    /// <inheritdoc/>
    public void Advance(int count) => _position += count;

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _array.AsMemory(_position);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return _array.AsSpan(_position);
    }

    private void WriteFlag(int field)
    {
        ProtoWriter writer = new(GetSpan(2));
        writer.WriteVarintField(field, 1);
        _position += writer.Written;
    }

    private static void WriteHeader(ref ProtoWriter writer, uint id, int outcomeField, int inner, int responseLength)
    {
        writer.WriteLengthPrefix(ResultsField, inner);
        writer.WriteVarintField(IdField, id);
        writer.WriteLengthPrefix(outcomeField, responseLength);
    }

    private static void WriteText(ref ProtoWriter writer, int field, string text, int bytes)
    {
        writer.WriteLengthPrefix(field, bytes);
        Encoding.UTF8.GetBytes(text, writer.Reserve(bytes));
    }

    private void Reserve(int count)
    {
        if (_array.Length - _position < count)
        {
            Grow(_position + count);
        }
    }

    private void Grow(int bytes)
    {
        int length = bytes <= KeptBytes ? KeptBytes : bytes <= FullBytes ? FullBytes : Math.Max(2 * _array.Length, bytes);
        if (length > FullBytes)
        {
            _stream?.Hold(length - _heldBytes);
            _heldBytes = length;
        }

        byte[] larger = length <= FullBytes ? ArrayPool<byte>.Shared.Rent(length) : GC.AllocateUninitializedArray<byte>(length);
        _array.AsSpan(0, _position).CopyTo(larger);
        ReturnArray();
        _array = larger;
    }

    private void ReturnArray()
    {
        if (_array != _kept && _array.Length <= FullBytes)
        {
            ArrayPool<byte>.Shared.Return(_array);
        }
    }
}
