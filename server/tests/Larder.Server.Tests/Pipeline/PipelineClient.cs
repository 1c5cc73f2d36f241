using System.Buffers.Binary;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Tests.Pipeline;

/// <summary>A minimal client of one pipeline that uses generated messages.</summary>
internal sealed class PipelineClient : IAsyncDisposable
{
    private readonly DuplexBytes _call;
    private byte[] _input = [];

    private PipelineClient(DuplexCall call) => _call = new DuplexBytes(call);

    public static Task<PipelineClient> OpenAsync(RunningServer server, RpcHeaders? headers = null) => OpenAsync(server.Channel, headers);

    public static async Task<PipelineClient> OpenAsync(RpcChannel channel, RpcHeaders? headers = null)
    {
        using CancellationTokenSource patience = new(RunningServer.Patience);
        return new PipelineClient(await channel.OpenDuplexAsync(PipelineService.Path, headers ?? RunningServer.CacheHeaders(), patience.Token));
    }

    public Task SendAsync(params IEnumerable<Operation> operations)
    {
        Batch batch = new();
        batch.Operations.AddRange(operations);
        return SendAsync(batch.ToByteArray());
    }

    public async Task SendAsync(byte[] message)
    {
        byte[] frame = new byte[message.Length + 5];
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(1), (uint)message.Length);
        message.CopyTo(frame, 5);
        await SendRawAsync(frame);
    }

    public Task SendRawAsync(ReadOnlyMemory<byte> bytes)
    {
        _call.Write(bytes.Span);
        return Task.CompletedTask;
    }

    /// <summary>Returns the next message; null at the end of the stream.</summary>
    public async Task<BatchResult?> ReadAsync()
    {
        byte[] chunk = new byte[64 * 1024];
        while (true)
        {
            if (_input.Length >= 5)
            {
                int length = (int)BinaryPrimitives.ReadUInt32BigEndian(_input.AsSpan(1));
                if (_input.Length >= 5 + length)
                {
                    BatchResult message = BatchResult.Parser.ParseFrom(_input, 5, length);
                    _input = _input[(5 + length)..];
                    return message;
                }
            }

            int read = await _call.ReadAsync(chunk).AsTask().WaitAsync(RunningServer.Patience);
            if (read == 0)
            {
                return null;
            }

            _input = [.. _input, .. chunk.AsSpan(0, read)];
        }
    }

    /// <summary>Reads until <paramref name="count"/> results have arrived. Returns the results by id.</summary>
    public async Task<Dictionary<uint, Result>> ReadResultsAsync(int count)
    {
        Dictionary<uint, Result> results = [];
        while (results.Count < count)
        {
            BatchResult message = await ReadAsync() ?? throw new InvalidOperationException($"the stream ended after {results.Count} of {count} results");
            foreach (Result result in message.Results)
            {
                Assert.True(results.TryAdd(result.Id, result), $"id {result.Id} was answered twice");
            }
        }

        return results;
    }

    public void CompleteWriting() => _call.CompleteWriting();

    public ValueTask DisposeAsync() => _call.DisposeAsync();
}
