using Larder.Protocol;

namespace Larder.Wire.Tests;

/// <summary>The calls that tests make, with the protocol's own messages.</summary>
internal static class TestCalls
{
    public const string GetPath = "/test.Cache/Get";
    public const string GetBatchPath = "/test.Cache/GetBatch";
    public const string RunPath = "/test.Cache/Run";

    public static readonly ProtobufCodec<GetRequest> GetRequests = new();
    public static readonly ProtobufCodec<GetResponse> GetResponses = new();
    public static readonly ProtobufCodec<GetBatchRequest> BatchRequests = new();

    public static readonly RpcMethod<GetRequest, GetResponse> Get = new(GetPath, GetRequests, GetResponses);
    public static readonly RpcMethod<GetBatchRequest, GetResponse> GetBatch = new(GetBatchPath, BatchRequests, GetResponses);

    /// <summary>The timeout of any operation in a test. It is long, because a test that passes never waits for it.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static GetRequest Key(string key) => new() { Key = Google.Protobuf.ByteString.CopyFromUtf8(key) };

    public static void MapEcho(RpcRouter router) => router.MapUnary(GetPath, GetRequests, GetResponses, (request, _) =>
        ValueTask.FromResult(new GetResponse { Result = CacheResult.Hit, Value = request.Key }));

    public static ValueTask<GetResponse> GetAsync(this RpcChannel channel, string key) =>
        channel.UnaryAsync(Get, Key(key), RpcHeaders.Empty, Patience, CancellationToken.None);
}
