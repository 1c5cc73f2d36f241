using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Pipeline;

/// <summary>
/// Gathers the results of one <c>BatchResult</c> message behind room for its gRPC prefix, in one reused array.
/// A result is begun, its response message is written through <see cref="IBufferWriter{T}"/>, and it is ended, failed or replaced.
/// </summary>
internal sealed class ReplyBuffer : IBufferWriter<byte>
{
    private const int PrefixBytes = 5;

    // results tag and length, id tag and value, outcome tag and length: (1 + 5) + (1 + 5) + (2 + 5).
    private const int MaxHeaderBytes = 19;

    // BatchResult's and Result's: the numbers of pipeline.proto.
    private const int ResultsField = 1;
    private const int DrainingField = 2;
    private const int InvalidatedField = 3;
    private const int ClearField = 4;
    private const int IdField = 1;
    private const int StatusField = 2;
    private const int UseUnaryField = 3;
    private const int TicketField = 64;
    private const int TtlLeftField = 65;

    // What a stream keeps between messages: some sixty small answers.
    private const int KeptBytes = 8 * 1024;

    // What the answer to a single call keeps: enough for most failures and small answers. There may be thousands of these at a time.
    private const int KeptForOneBytes = 256;

    // A full message and one more answer of the largest size, but for its header. It is there only while a message is made.
    private const int FullBytes = 2 * PipelineLimits.MessageBytes;

    private readonly DuplexStream? _stream;
    private readonly byte[] _kept;
    private byte[] _array;
    private int _heldBytes;
    private int _position = PrefixBytes;
    private int _resultStart;
    private int _taken = PrefixBytes;

    /// <param name="stream">Holds what a message takes that is larger than any should be; null: nobody does.</param>
    /// <param name="isForOne">Whether it is for the answer to one call only.</param>
    public ReplyBuffer(DuplexStream? stream = null, bool isForOne = false)
    {
        _stream = stream;
        _array = _kept = new byte[isForOne ? KeptForOneBytes : KeptBytes];
    }

    /// <summary>True where a result waits to be emitted.</summary>
    public bool HasResults => _position > PrefixBytes;

    /// <summary>True where the message is large enough to go.</summary>
    public bool IsFull => _position >= PipelineLimits.MessageBytes;

    /// <summary>The response message's bytes written since the result was begun.</summary>
    public int ResponseLength => _position - _resultStart - MaxHeaderBytes;

    /// <summary>Starts a result; its response message is written next.</summary>
    public void BeginResult()
    {
        _resultStart = _position;
        Reserve(MaxHeaderBytes);
        _position += MaxHeaderBytes;
    }

    /// <summary>Ends the result: puts its header before the response and closes the gap.</summary>
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

    /// <summary>Writes a whole hit of a get at once: the hot path, without a gap to close.</summary>
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

    /// <summary>Writes a whole hit of a near get at once: one that may be kept.</summary>
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

    /// <summary>Writes tickets of what has changed.</summary>
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

    /// <summary>Writes that all copies are to be dropped.</summary>
    public void WriteClear() => WriteFlag(ClearField);

    /// <summary>Writes a whole result whose response is ready-made.</summary>
    public void WriteResult(uint id, int outcomeField, ReadOnlySpan<byte> response)
    {
        int inner = ProtoWriter.VarintFieldLength(IdField, id) + ProtoWriter.BytesFieldLength(outcomeField, response.Length);
        int length = ProtoWriter.BytesFieldLength(ResultsField, inner);
        ProtoWriter writer = new(GetSpan(length));
        WriteHeader(ref writer, id, outcomeField, inner, response.Length);
        response.CopyTo(_array.AsSpan(_position + writer.Written));
        _position += length;
    }

    /// <summary>Forgets the begun result: it is made later.</summary>
    public void DropResult() => _position = _resultStart;

    /// <summary>Replaces what the begun result holds by a failure.</summary>
    public void FailResult(uint id, CallError error)
    {
        _position = _resultStart;
        WriteError(id, error);
    }

    /// <summary>Writes a whole result that is a failure.</summary>
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

    /// <summary>Replaces what the begun result holds by "use unary".</summary>
    public void ReplaceByUseUnary(uint id)
    {
        _position = _resultStart;
        WriteUseUnary(id);
    }

    /// <summary>Writes a whole result that is "use unary".</summary>
    public void WriteUseUnary(uint id) => WriteResult(id, UseUnaryField, []);

    /// <summary>Writes that the server is going away.</summary>
    public void WriteDraining() => WriteFlag(DrainingField);

    /// <summary>Bytes of results written since this was asked last, in the present message.</summary>
    public int TakeWritten()
    {
        int written = _position - _taken;
        _taken = _position;
        return written;
    }

    /// <summary>Copies the message with its prefix to <paramref name="output"/>, starts the next, and answers its length in bytes.</summary>
    public int Emit(IBufferWriter<byte> output)
    {
        int length = _position;
        _array[0] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(_array.AsSpan(1), (uint)(length - PrefixBytes));
        output.Write(_array.AsSpan(0, length));
        LetGo();
        return length;
    }

    /// <summary>Gives back what was taken for the present message, which is forgotten.</summary>
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
