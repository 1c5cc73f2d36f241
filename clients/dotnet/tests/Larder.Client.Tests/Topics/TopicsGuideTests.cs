using Larder.Client.Tests.Support;
using Larder.Examples.Topics;
using Larder.Harness;

namespace Larder.Client.Tests.Topics;

/// <summary>Tests that the guide's program is identical to the example, and behaves as described.</summary>
public sealed class TopicsGuideTests
{
    [Fact]
    public async Task Topics_guide_example_reads_until_the_closing_message()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        await cache.PublishAsync("orders", "two loaves");
        using StringWriter output = new() { NewLine = "\n" };
        Task<string> following = Orders.FollowAsync(cache, until: "closed", output);
        await cache.PublishAsync("orders", "a pie");
        await cache.PublishAsync("orders", "closed");
        Assert.Equal("done with order 3", await following.WaitAsync(Eventually.Limit));
        Assert.Equal("1: two loaves\n2: a pie\n", output.ToString());
    }

    [Fact]
    public async Task Topics_guide_example_reports_cancellation_and_errors()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Assert.Equal("left", await Orders.FollowAsync(client.Cache("cache"), "closed", TextWriter.Null, new CancellationToken(canceled: true)));
        string failed = await Orders.FollowAsync(client.Cache("none"), "closed", TextWriter.Null).WaitAsync(Eventually.Limit);
        Assert.StartsWith("NotFound: ", failed, StringComparison.Ordinal);
    }

    [Fact]
    public void Topics_guide_contains_the_example_code() => Assert.Contains(
        $"```csharp\n{Checkout.Read("clients/dotnet/examples/Topics/Orders.cs")}```",
        Checkout.Read("docs/guides/topics.md"),
        StringComparison.Ordinal);
}
