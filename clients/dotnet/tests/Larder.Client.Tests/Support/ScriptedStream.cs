using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Threading.Channels;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Client.Tests.Support;

/// <summary>One stream of a <see cref="ScriptedPipeline"/>. The test reads its operations one by one.</summary>
internal sealed class ScriptedStream(DuplexStream duplex)
{
    private const int HeaderBytes = 5;

    private readonly Channel<Operation> _operations = Channel.CreateUnbounded<Operation>();
    private readonly TaskCompletionSource<Status> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Waits for the next operation.</summary>
    public Task<Operation> NextAsync() => _operations.Reader.ReadAsync().AsTask().WaitAsync(Eventually.Limit);

    /// <summary>Waits for the next operation and asserts its kind.</summary>
    public async Task<Operation> NextAsync(Operation.CallOneofCase wanted)
    {
        Operation next = await NextAsync();
        Assert.Equal(wanted, next.CallCase);
        return next;
    }

    /// <summary>Gets the number of received operations that the test has not read yet.</summary>
    public int Waiting => _operations.Reader.Count;

    /// <summary>Gets whether the client or the test has ended the stream.</summary>
    public bool HasEnded { get; private set; }

    public async Task SendAsync(byte[] message)
    {
        byte[] frame = new byte[HeaderBytes + message.Length];
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(1), (uint)message.Length);
        message.CopyTo(frame, HeaderBytes);
        duplex.Output.Write(frame);
        await duplex.Output.FlushAsync();
    }

    public Task SendAsync(BatchResult message) => SendAsync(message.ToByteArray());

    public Task SendAsync(params Result[] results) => SendAsync(new BatchResult { Results = { results } });

    /// <summary>Answers the first operation, which must be near_open.</summary>
    public async Task OpenAsync(uint leaseMs = 3_000) =>
        await SendAsync(new Result { Id = (await NextAsync(Operation.CallOneofCase.NearOpen)).Id, NearOpen = new NearOpened { LeaseMs = leaseMs } });

    /// <summary>Answers the next operation with a value. The operation must be a get.</summary>
    public async Task AnswerGetAsync(string value, uint ticket = 7, uint ttlLeftMs = 60_000) =>
        await SendAsync(Found(await NextAsync(Operation.CallOneofCase.Get), value, ticket, ttlLeftMs));

    public static Result Found(Operation get, string value, uint ticket = 7, uint ttlLeftMs = 60_000) => new()
    {
        Id = get.Id,
        Ticket = ticket,
        TtlLeftMs = ttlLeftMs,
        Get = new Protocol.GetResponse { Result = Protocol.CacheResult.Hit, Value = ByteString.CopyFromUtf8(value) },
    };

    /// <summary>Ends the stream on the server's side.</summary>
    public void End(StatusCode code = StatusCode.Unavailable) => _end.TrySetResult(new Status(code, "The test ends the stream."));

    public async Task RunAsync(CancellationToken gone)
    {
        Task reading = ReadAsync(gone);
        await Task.WhenAny(_end.Task, reading);
        HasEnded = true;
        if (_end.Task.IsCompleted)
        {
            throw new RpcException(await _end.Task);
        }
    }

    private async Task ReadAsync(CancellationToken gone)
    {
        while (true)
        {
            ReadResult read = await duplex.Input.ReadAsync(gone);
            ReadOnlySequence<byte> rest = read.Buffer;
            while (rest.Length >= HeaderBytes)
            {
                int length = (int)BinaryPrimitives.ReadUInt32BigEndian(rest.Slice(1, 4).ToArray());
                if (rest.Length < HeaderBytes + length)
                {
                    break;
                }

                foreach (Operation operation in Batch.Parser.ParseFrom(rest.Slice(HeaderBytes, length)).Operations)
                {
                    await _operations.Writer.WriteAsync(operation, gone);
                }

                rest = rest.Slice(HeaderBytes + length);
            }

            duplex.Input.AdvanceTo(rest.Start, rest.End);
            if (read.IsCompleted)
            {
                return;
            }
        }
    }
}
