using System.Buffers.Binary;
using System.Text;
using Larder.Client.Calls;
using Larder.Client.Near;
using Larder.Wire;
using Larder.Wire.Protobuf;
using Larder.Wire.Threads;

namespace Larder.Client.Pipeline;

/// <content>
/// Reads responses. They are parsed directly in the connection's buffer, on the connection's reading thread. Bytes are copied only if a message is split
/// between two reads. The calls of all responses of one read are completed on this thread. Their callers are woken after the next read has begun, so
/// application code never delays the connection.
/// </content>
internal sealed partial class PipelineStream : IDuplexReceiver
{
    private const int HeaderBytes = 5;
    private const int StatusField = 2;
    private const int UseUnaryField = 3;

    // The ids whose responses have arrived. They become free after the current read. Used only by the reader.
    private readonly List<int> _answeredIds = [];
    private int _runningReads;
    private bool _serverDrains;

    // The first bytes of a message that has not completely arrived.
    private byte[] _cut = [];
    private int _cutLength;
    private Failure? _unreadable;

    void IDuplexReceiver.OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers)
    {
        if (_unreadable is not null)
        {
            return;
        }

        try
        {
            if (_cutLength == 0)
            {
                BufferRemainder(bytes[ReadMessages(bytes, callers, out int wanted)..], wanted);
                return;
            }

            _cut = EnsureRoom(_cut, _cutLength, _cutLength + bytes.Length);
            bytes.CopyTo(_cut.AsSpan(_cutLength));
            _cutLength += bytes.Length;
            int used = ReadMessages(_cut.AsSpan(0, _cutLength), callers, out int next);
            _cutLength -= used;
            _cut.AsSpan(used, _cutLength).CopyTo(_cut);
            _cut = EnsureRoom(_cut, _cutLength, next);
        }
        catch (FormatException exception)
        {
            _unreadable = new Failure(StatusCode.Internal, $"Invalid pipeline response from the server: {exception.Message}") { Exception = exception };
        }
    }

    void IDuplexReceiver.OnReadEnd(ICallerBatch callers)
    {
        FinishRead();
        if (_unreadable is { } failure)
        {
            PoolQueue.Work.Add(static broken => _ = broken.Stream.EndAsync(broken.Failure), (Stream: this, Failure: failure));
        }

        callers.Split(_runningReads);
    }

    void IDuplexReceiver.OnEnded(Exception? error) =>
        _ = EndAsync(error is null ? new Failure(StatusCode.Unavailable, "The server ended the stream.") : FailureOf(error));

    // Stores the bytes of an incomplete message until the rest arrives.
    private void BufferRemainder(ReadOnlySpan<byte> rest, int wanted)
    {
        if (!rest.IsEmpty)
        {
            _cut = EnsureRoom(_cut, 0, Math.Max(wanted, rest.Length));
            rest.CopyTo(_cut);
            _cutLength = rest.Length;
        }
    }

    // Reads all complete messages. Returns the number of bytes that were read. wanted is the length of the next message if its header has arrived.
    private int ReadMessages(ReadOnlySpan<byte> bytes, ICallerBatch callers, out int wanted)
    {
        int used = 0;
        wanted = HeaderBytes;
        while (bytes.Length - used >= HeaderBytes)
        {
            uint length = BinaryPrimitives.ReadUInt32BigEndian(bytes[(used + 1)..]);
            if (bytes[used] != 0 || length > PipelineLimits.MaxReceiveBytes)
            {
                throw new FormatException(
                    bytes[used] != 0 ? "a message is compressed, but compression was not requested" : $"a message of {length} bytes exceeds the limit");
            }

            wanted = HeaderBytes + (int)length;
            if (bytes.Length - used < wanted)
            {
                break;
            }

            ReadBatch(bytes.Slice(used + HeaderBytes, (int)length), callers);
            used += wanted;
            wanted = HeaderBytes;
        }

        return used;
    }

    private void ReadBatch(ReadOnlySpan<byte> message, ICallerBatch callers)
    {
        if (_near is not null)
        {
            ReadChanges(message);
        }

        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited))
            {
                if (reader.TryReadBytes(out ReadOnlySpan<byte> result))
                {
                    ReadResult(result, callers);
                }
            }
            else if (reader.Is(2, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out ulong draining);
                _serverDrains |= draining != 0;
            }
            else
            {
                reader.TrySkip();
            }
        }

        if (reader.IsMalformed)
        {
            throw new FormatException("a message is not valid protobuf");
        }
    }

    private void ReadResult(ReadOnlySpan<byte> result, ICallerBatch callers)
    {
        ProtoReader reader = new(result);
        ulong id = 0;
        ulong ticket = 0;
        ulong ttlLeftMs = 0;
        int outcome = 0;
        ReadOnlySpan<byte> payload = default;
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out id);
            }
            else if (reader.WireType == ProtoWireType.LengthDelimited)
            {
                outcome = reader.Field;
                reader.TryReadBytes(out payload);
            }
            else if (reader.Is(TicketField, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out ticket);
            }
            else if (reader.Is(TtlLeftField, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out ttlLeftMs);
            }
            else
            {
                reader.TrySkip();
            }
        }

        if (reader.IsMalformed)
        {
            throw new FormatException("a result is malformed");
        }

        if (id < (ulong)_slots.Length)
        {
            Answer((int)id, outcome, payload, new NearTerms((uint)ticket, (uint)ttlLeftMs), callers);
        }
        else if (_near is not null && id == (ulong)NearId)
        {
            AnswerNear(outcome, payload);
        }
        else
        {
            throw new FormatException("a result is malformed");
        }
    }

    private void Answer(int id, int outcome, ReadOnlySpan<byte> payload, NearTerms terms, ICallerBatch callers)
    {
        ref PipelineSlot slot = ref _slots[id];
        Call? call = Volatile.Read(ref slot.Call);
        long version = slot.Version;
        if (call is null)
        {
            // Either the server's result is invalid (PIPE-20), or another thread has ended the stream and this is its last read. Both end the read with an
            // exception.
            throw new FormatException($"result {id} does not match a call");
        }

        slot.Call = null;
        _answeredIds.Add(id);
        if (outcome == call.Operation.PipelineField)
        {
            if (call.Complete(version, payload, terms))
            {
                callers.Add(call);
            }
        }
        else
        {
            AnswerOtherwise(call, version, outcome, payload);
        }
    }

    private void AnswerOtherwise(Call call, long version, int outcome, ReadOnlySpan<byte> payload)
    {
        switch (outcome)
        {
            case StatusField:
                call.Fail(version, ReadStatus(payload) with { Shown = Shown });
                break;
            case UseUnaryField:
                if (call.TryHold(version))
                {
                    call.FailNear();
                    _host.RepeatAsUnary(call, version);
                }

                break;
            default:
                call.Fail(version, new Failure(StatusCode.DataLoss, "The result belongs to a different operation than the call."));
                break;
        }
    }

    private static Failure ReadStatus(ReadOnlySpan<byte> payload)
    {
        ulong code = Operations.Answer.ReadVarint(payload, 1);
        string message = Encoding.UTF8.GetString(Operations.Answer.ReadBytes(payload, 2));
        string cause = Encoding.UTF8.GetString(Operations.Answer.ReadBytes(payload, 3));
        return new Failure(code <= (ulong)StatusCode.Unauthenticated ? (StatusCode)code : StatusCode.Unknown, message)
        {
            Cause = cause.Length > 0 ? cause : null,
            NotProcessed = cause == RpcException.NotExecutedCause,
        };
    }

    private void FinishRead()
    {
        if (_answeredIds.Count > 0)
        {
            ReturnIds();
        }

        if (_serverDrains && !_isRetired)
        {
            Retire("the server is draining");
        }
    }

    private void ReturnIds()
    {
        bool isRetired;
        lock (_lock)
        {
            isRetired = _isRetired;
            if (!_isEnded)
            {
                foreach (int id in _answeredIds)
                {
                    _freeIds[_freeCount++] = id;
                }
            }

            _runningReads = _unusedId - _freeCount;
        }

        _answeredIds.Clear();
        if (isRetired)
        {
            CompleteIfAnswered();
        }
    }

    // Returns an array of at least the wanted size. The array does not come from a pool. The stream may end while bytes are being written to the array, so it
    // would be unknown when the array can go back to the pool.
    private static byte[] EnsureRoom(byte[] buffer, int length, int wanted)
    {
        if (buffer.Length >= wanted)
        {
            return buffer;
        }

        byte[] larger = new byte[Math.Max(wanted, buffer.Length * 2)];
        buffer.AsSpan(0, length).CopyTo(larger);
        return larger;
    }
}
