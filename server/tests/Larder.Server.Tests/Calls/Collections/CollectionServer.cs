using System.Globalization;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>A running server whose data calls can be made over both transports. The type of a generated request message selects the rpc.</summary>
public class CollectionServer : IAsyncLifetime
{
    private RunningServer _server = null!;
    private PipelineClient _pipeline = null!;
    private uint _id;
    private int _keys;

    internal RunningServer Server => _server;

    public async Task InitializeAsync()
    {
        _server = await StartAsync(options => options with { MemoryBytes = 512L << 20 });
        _pipeline = await PipelineClient.OpenAsync(_server);
    }

    public virtual async Task DisposeAsync()
    {
        await _pipeline.DisposeAsync();
        await _server.DisposeAsync();
    }

    /// <summary>Returns a key that no other test uses.</summary>
    public ByteString NewKey() => Bytes($"key-{Interlocked.Increment(ref _keys).ToString(CultureInfo.InvariantCulture)}");

    internal static ByteString Bytes(string text) => ByteString.CopyFromUtf8(text);

    /// <summary>Runs a call that must succeed, and returns its response.</summary>
    internal async Task<TResponse> OkAsync<TResponse>(Transport transport, IMessage request)
        where TResponse : class, IMessage<TResponse>, new()
    {
        if (transport == Transport.Unary)
        {
            return await _server.CallAsync<TResponse>(PathOf(request), request);
        }

        Result result = await RunAsync(request);
        Assert.True(result.OutcomeCase != Result.OutcomeOneofCase.Status, $"{PathOf(request)}: {result.Status}");
        return Assert.IsType<TResponse>(Field(Result.Descriptor, request).Accessor.GetValue(result));
    }

    /// <summary>Runs a call that must fail, and returns its failure in a form that does not depend on the transport.</summary>
    internal async Task<CallFailure> FailAsync(Transport transport, IMessage request)
    {
        if (transport == Transport.Unary)
        {
            RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await _server.CallAsync<DeleteResponse>(PathOf(request), request));
            string cause = error.Trailers.FirstOrDefault(trailer => trailer.Key == "err").Value ?? "";
            return new CallFailure(error.Status.Code, error.Status.Message, cause);
        }

        Result result = await RunAsync(request);
        Assert.Equal(Result.OutcomeOneofCase.Status, result.OutcomeCase);
        return new CallFailure((StatusCode)result.Status.Code, result.Status.Message, result.Status.Cause);
    }

    internal async Task<StatusCode> CodeAsync(Transport transport, IMessage request) => (await FailAsync(transport, request)).Code;

    /// <summary>Runs a pipelined call and returns its result, which may be a success or a failure.</summary>
    internal async Task<Result> RunAsync(IMessage request)
    {
        Operation operation = new() { Id = ++_id };
        Field(Operation.Descriptor, request).Accessor.SetValue(operation, request);
        await _pipeline.SendAsync(operation);
        return (await _pipeline.ReadResultsAsync(1))[operation.Id];
    }

    /// <summary>Returns the remaining TTL of an item in milliseconds.</summary>
    internal async Task<ulong> RemainingMsAsync(ByteString key) =>
        (await OkAsync<ItemGetTtlResponse>(Transport.Unary, new ItemGetTtlRequest { Key = key })).Found.RemainingMs;

    internal async Task<bool> ExistsAsync(ByteString key) =>
        (await OkAsync<KeysExistResponse>(Transport.Unary, new KeysExistRequest { Keys = { key } })).Exists[0];

    private protected virtual Task<RunningServer> StartAsync(Func<ServerOptions, ServerOptions> with) => RunningServer.StartAsync(with);

    private static string NameOf(IMessage request) => request.Descriptor.Name[..^"Request".Length];

    private static string PathOf(IMessage request) => $"/cache_client.Scs/{NameOf(request)}";

    private static FieldDescriptor Field(MessageDescriptor of, IMessage request)
    {
        StringBuilder name = new();
        foreach (char letter in NameOf(request))
        {
            _ = char.IsUpper(letter) && name.Length > 0 ? name.Append('_').Append(char.ToLowerInvariant(letter)) : name.Append(char.ToLowerInvariant(letter));
        }

        return of.FindFieldByName(name.ToString());
    }
}
