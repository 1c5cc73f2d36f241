using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

/// <summary>Tests that invalid arguments fail immediately with a clear error, and take no permit.</summary>
public sealed class HostileArgumentsTests
{
    [Theory]
    [InlineData("a..b")]
    [InlineData(".")]
    [InlineData("a b")]
    [InlineData("a/b")]
    [InlineData("a\0b")]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example")]
    public void Invalid_host_is_rejected_at_creation(string host) =>
        Assert.Contains(
            "host",
            Assert.ThrowsAny<ArgumentException>(() => CredentialProvider.FromEndpoint(host, 1)).Message,
            StringComparison.OrdinalIgnoreCase);

    [Theory]
    [InlineData("tökén")]
    [InlineData("a\r\nb")]
    [InlineData("\ud800")]
    public void Invalid_token_is_rejected_by_client_and_not_printed(string token)
    {
        CredentialProvider credentials = CredentialProvider.FromEndpoint("127.0.0.1", 1, token);
        ArgumentException refused = Assert.ThrowsAny<ArgumentException>(() =>
            new CacheClient(Configurations.Laptop.V1(), credentials, TimeSpan.FromMinutes(1)));
        Assert.DoesNotContain(token, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cache_without_a_name_is_rejected_by_the_first_call()
    {
        await using CacheClient client = new(Configurations.Laptop.V1(), CredentialProvider.Local(), TimeSpan.FromMinutes(1));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await client.Cache(null!).GetAsync("k")).Code);
    }

    [Fact]
    public async Task Invalid_arguments_leak_no_permits()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { MaxInFlightUnary = 2, MaxInFlightPipeline = 2 });
        for (int round = 0; round < 3; round++)
        {
            foreach (CacheBytes bad in (CacheBytes[])[default, "", "\ud800", Array.Empty<byte>()])
            {
                AssertRefused(Expect.Error(await client.Cache("cache").GetAsync(bad)).Code);
                AssertRefused(Expect.Error(await client.Cache("cache").SetAsync(bad, "v")).Code);
                AssertRefused(Expect.Error(await client.Cache("cache").GetBatchAsync(["k", bad])).Code);
                AssertRefused(Expect.Error(await client.Cache("cache").SetBatchAsync([new("k", "v"), new(bad, "v")])).Code);
            }

            foreach (string cache in (string[])[null!, "", " ", "\ud800", "é", "a\nb", new('x', 256)])
            {
                AssertRefused(Expect.Error(await client.Cache(cache).GetAsync("k")).Code);
                AssertRefused(Expect.Error(await client.CreateCacheAsync(cache)).Code);
            }

            AssertRefused(Expect.Error(await client.Cache("cache").SetAsync("k", "\udc00")).Code);
            AssertRefused(Expect.Error(await client.Cache("cache").SetAsync("k", default)).Code);
            AssertRefused(Expect.Error(await client.Cache("cache").SetIfEqualAsync("k", "v", "\ud800")).Code);
            AssertRefused(Expect.Error(await client.Cache("cache").UpdateTtlAsync("k", TimeSpan.MaxValue)).Code);
        }

        Assert.Equal((0, 0), (client.InFlight, client.Queued));
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("k")));

        static void AssertRefused(CacheErrorCode code) => Assert.Equal(CacheErrorCode.InvalidArgument, code);
    }
}
