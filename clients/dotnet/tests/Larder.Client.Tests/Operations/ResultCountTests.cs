using Google.Protobuf;
using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests.Operations;

/// <summary>Tests that a call fails if the server returns more or fewer results than requested. The caller must never get a list of the wrong length.</summary>
public sealed class ResultCountTests
{
    private static readonly Protocol.DictionaryGetResponse.Types.Part s_value = new() { Result = Protocol.CacheResult.Hit };
    private static readonly Protocol.SortedSetGetScoreResponse.Types.Part s_score = new() { Result = Protocol.CacheResult.Hit, Score = 1 };
    private static readonly Protocol.GetResponse s_got = new() { Result = Protocol.CacheResult.Miss };
    private static readonly Protocol.SetResponse s_set = new() { Result = Protocol.CacheResult.Ok };

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(20_000)]
    public async Task Response_with_wrong_part_count_fails_with_internal_error(int count)
    {
        await Refused(
            static cache => cache.DictionaryGetAsync("d", ["a", "b"]).AsTask(),
            new Protocol.DictionaryGetResponse { Found = new() { Parts = { Enumerable.Repeat(s_value, count) } } });
        await Refused(
            static cache => cache.SetContainsAsync("s", ["a", "b"]).AsTask(),
            new Protocol.SetContainsResponse { Found = new() { Contains = { Enumerable.Repeat(true, count) } } });
        await Refused(
            static cache => cache.SortedSetGetScoreAsync("z", ["a", "b"]).AsTask(),
            new Protocol.SortedSetGetScoreResponse { Found = new() { Parts = { Enumerable.Repeat(s_score, count) } } });
        await Refused(
            static cache => cache.KeysExistAsync(["a", "b"]).AsTask(), new Protocol.KeysExistResponse { Exists = { Enumerable.Repeat(true, count) } });
        await Refused(
            static cache => cache.GetBatchAsync(["a", "b"]).AsTask(), new Protocol.GetBatchResult { Responses = { Enumerable.Repeat(s_got, count) } });
        await Refused(
            static cache => cache.SetBatchAsync([new("a", "1"), new("b", "2")]).AsTask(),
            new Protocol.SetBatchResult { Responses = { Enumerable.Repeat(s_set, count) } });
    }

    [Fact]
    public async Task Unary_response_with_wrong_part_count_fails_with_internal_error()
    {
        RpcRouter router = new(new RpcRouterOptions());
        router.MapUnary(
            "/cache_client.Scs/KeysExist",
            new ProtobufCodec<Protocol.KeysExistRequest>(),
            new ProtobufCodec<Protocol.KeysExistResponse>(),
            static (request, _) => ValueTask.FromResult(new Protocol.KeysExistResponse { Exists = { Enumerable.Repeat(true, request.Keys.Count - 1) } }));
        await using RpcServer server = RpcServer.Start(router, new RpcServerOptions());
        await using CacheClient client = new(Configurations.Laptop.V1(), CredentialProvider.Local(port: server.Endpoint.Port), TimeSpan.FromMinutes(1));
        CacheError error = Expect.Error(await client.Cache("cache").KeysExistAsync(["a", "b"]));
        Assert.Equal(CacheErrorCode.Internal, error.Code);
    }

    private static async Task Refused<T>(Func<Cache, Task<T>> make, IMessage answer)
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        Task<T> call = make(test.Cache);
        Assert.True(test.Transport.Answer(answer.ToByteArray()));
        CacheError failure = Expect.Error(await call.WaitAsync(Eventually.Limit));
        Assert.Equal((CacheErrorCode.Internal, 0), (failure.Code, test.Client.InFlight));
        Assert.Contains("but 2 were requested", failure.Message, StringComparison.Ordinal);
    }
}
