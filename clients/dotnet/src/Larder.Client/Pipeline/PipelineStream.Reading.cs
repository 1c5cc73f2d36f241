using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Client.Pipeline;

/// <content>
/// Reading answers. One read's answers are all completed here, on the reader, and their callers woken together by one item of the thread pool: no
/// caller's code ever runs on the reader.
/// </content>
internal sealed partial class PipelineStream
{
    private const int HeaderBytes = 5;
    private const int StatusField = 2;
    private const int UseUnaryField = 3;

    // The reader's own: ids to give back after this read.
    private readonly List<int> _answeredIds = [];
    private CompletionBatch? _batch;
    private bool _serverDrains;

    private async Task ReadAsync()
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(PipelineLimits.ReadBytes);
        Failure failure;
        try
        {
            int length = 0;
            while (true)
            {
                int read = await _call.ReadAsync(buffer.AsMemory(length), _ending.Token).ConfigureAwait(false);
                if (read == 0)
                {
                    failure = new Failure(StatusCode.Unavailable, "The server ended the stream.");
                    break;
                }

                length += read;
                int used = ReadMessages(buffer.AsSpan(0, length), out int wanted);
                length -= used;
                buffer.AsSpan(used, length).CopyTo(buffer);
                buffer = EnsureRoom(buffer, length, wanted);
                FinishRead();
            }
        }
        catch (Exception exception) when (exception is RpcException or OperationCanceledException or ObjectDisposedException or IOException)
        {
            failure = FailureOf(exception);
        }
        catch (FormatException exception)
        {
            failure = new Failure(StatusCode.Internal, $"The server's answer is no result of the pipeline: {exception.Message}") { Exception = exception };
        }

        FinishRead();
        ArrayPool<byte>.Shared.Return(buffer);
        await EndAsync(failure).ConfigureAwait(false);
    }

    // Reads all whole messages. Returns the bytes used; wanted is the length of the message that follows, where its header is there.
    private int ReadMessages(ReadOnlySpan<byte> bytes, out int wanted)
    {
        int used = 0;
        wanted = HeaderBytes;
        while (bytes.Length - used >= HeaderBytes)
        {
            uint length = BinaryPrimitives.ReadUInt32BigEndian(bytes[(used + 1)..]);
            if (bytes[used] != 0 || length > PipelineLimits.MaxReceiveBytes)
            {
                throw new FormatException(bytes[used] != 0 ? "a message is compressed, which was not asked for" : $"a message of {length} bytes is over the limit");
            }

            wanted = HeaderBytes + (int)length;
            if (bytes.Length - used < wanted)
            {
                break;
            }

            ReadBatch(bytes.Slice(used + HeaderBytes, (int)length));
            used += wanted;
            wanted = HeaderBytes;
        }

        return used;
    }

    private void ReadBatch(ReadOnlySpan<byte> message)
    {
        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited))
            {
                if (reader.TryReadBytes(out ReadOnlySpan<byte> result))
                {
                    ReadResult(result);
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
            throw new FormatException("a message is no protobuf");
        }
    }

    private void ReadResult(ReadOnlySpan<byte> result)
    {
        ProtoReader reader = new(result);
        ulong id = 0;
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
            else
            {
                reader.TrySkip();
            }
        }

        if (reader.IsMalformed || id >= (ulong)_slots.Length)
        {
            throw new FormatException("a result is malformed");
        }

        Answer((int)id, outcome, payload);
    }

    private void Answer(int id, int outcome, ReadOnlySpan<byte> payload)
    {
        ref PipelineSlot slot = ref _slots[id];
        Call? call = Volatile.Read(ref slot.Call);
        long version = slot.Version;
        if (call is null)
        {
            // PIPE-20; or the stream was ended from another side, and this is its last read.
            throw new FormatException($"result {id} answers no call");
        }

        slot.Call = null;
        _answeredIds.Add(id);
        if (outcome == call.Operation.PipelineField)
        {
            if (call.Complete(version, payload))
            {
                (_batch ??= _host.Batches.Rent()).Add(call);
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
                call.Fail(version, ReadStatus(payload));
                break;
            case UseUnaryField:
                if (call.TryHold(version))
                {
                    _host.RepeatAsUnary(call, version);
                }

                break;
            default:
                call.Fail(version, new Failure(StatusCode.DataLoss, "The result is of another operation than the call."));
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
        if (_batch is { } batch)
        {
            _batch = null;
            batch.Run();
        }

        if (_answeredIds.Count > 0)
        {
            GiveBackIds();
        }

        if (_serverDrains && !_isRetired)
        {
            Retire("the server is draining");
        }
    }

    private void GiveBackIds()
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
        }

        _answeredIds.Clear();
        if (isRetired)
        {
            CompleteIfAnswered();
        }
    }

    private static byte[] EnsureRoom(byte[] buffer, int length, int wanted)
    {
        if (buffer.Length >= wanted && buffer.Length > length)
        {
            return buffer;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(wanted + PipelineLimits.ReadBytes);
        buffer.AsSpan(0, length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(buffer);
        return larger;
    }
}
