using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Responses;

/// <summary>Tests that a response's ToString describes the outcome, and contains nothing large or secret.</summary>
public sealed class ResponseTextTests
{
    [Fact]
    public async Task ToString_of_a_response_shows_outcome_but_no_stored_bytes()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        Assert.Equal("Success", $"{await cache.SetAsync("k", "hello")}");
        Assert.Equal("Hit (5 bytes)", $"{await cache.GetAsync("k")}");
        Assert.Equal("Miss", $"{await cache.GetAsync("none")}");
        Assert.Equal("Hit (5 bytes)", $"{await cache.GetWithHashAsync("k")}");
        Assert.Equal("Success (2 items)", $"{await cache.GetBatchAsync(["k", "none"])}");
        Assert.Equal("Success (1 items)", $"{await cache.SetBatchAsync([new SetBatchItem("a", "1")])}");
        Assert.Equal("Success (2 items)", $"{await cache.KeysExistAsync(["k", "none"])}");
        Assert.Equal("Success (True)", $"{await cache.KeyExistsAsync("k")}");
        Assert.Equal("Success (7)", $"{await cache.IncrementAsync("count", 7)}");
        Assert.Equal("NotStored", $"{await cache.SetIfAbsentAsync("k", "other")}");
        Assert.Equal("Miss", $"{await cache.ItemGetTtlAsync("none")}");
        Assert.StartsWith("Hit (00:00:", $"{await cache.ItemGetTtlAsync("k")}", StringComparison.Ordinal);
        Assert.Equal("Success (1 items)", $"{await client.ListCachesAsync()}");
        Assert.Equal("Created (3 bytes)", $"{await cache.GetOrCreateAsync("made", static _ => ValueTask.FromResult(new byte[3]))}");
    }

    [Fact]
    public async Task Error_of_a_call_without_key_mentions_no_key()
    {
        await using RunningServer server = await RunningServer.StartAsync(token: "right");
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        string ping = $"{await client.ListCachesAsync()}";
        Assert.DoesNotContain("key 0", ping, StringComparison.Ordinal);
        Assert.Contains("LARDER_URL", ping, StringComparison.Ordinal);
        Assert.Contains("key 1 B", $"{await client.Cache("cache").GetAsync("k")}", StringComparison.Ordinal);
    }
}
