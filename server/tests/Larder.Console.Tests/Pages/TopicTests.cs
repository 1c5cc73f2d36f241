using Google.Protobuf;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Protocol;
using Larder.Server.Tests;
using Larder.Wire;

namespace Larder.Console.Tests.Pages;

/// <summary>Tests of the view of topics, their subscribers and their rates.</summary>
[Collection(ConsoleTests.Name)]
public sealed class TopicTests(LoadedServer server)
{
    private const string Hostile = "<img src=x onerror=alert(1)>";

    [Fact]
    public async Task Topics_page_shows_subscribers_and_hostile_names_as_text()
    {
        await PublishAsync("orders");
        await PublishAsync("orders");
        await PublishAsync(Hostile);
        using CancellationTokenSource left = new();
        IAsyncEnumerator<SubscriptionItem> following = server.Load.Channel.ServerStreamAsync(
            new RpcMethod<IMessage, SubscriptionItem>("/cache_client.pubsub.Pubsub/Subscribe", new AnyMessageCodec(), new ProtobufCodec<SubscriptionItem>()),
            new SubscribeRequest { CacheName = "cache", Topic = "orders" },
            RpcHeaders.Empty,
            timeout: null,
            left.Token).GetAsyncEnumerator(left.Token);
        Assert.True(await following.MoveNextAsync());
        await using (ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "topics"))
        {
            await page.WaitAsync($"{Row("orders")}?.cells[2].textContent === '1'");
            Assert.Equal("cache", (string?)await page.EvaluateAsync($"{Row("orders")}.cells[1].textContent"));
            Assert.Equal("2", (string?)await page.EvaluateAsync($"{Row("orders")}.cells[3].textContent"));
            await page.WaitAsync($"{Row("orders")}.cells[4].textContent === '0'");
            await page.WaitAsync($"{Row(Hostile)} !== undefined");
            Assert.Equal(0, (int?)await page.EvaluateAsync("document.querySelectorAll('main img').length"));
            page.AssertClean();
        }

        await left.CancelAsync();
        await following.DisposeAsync();
    }

    private ValueTask<PublishResponse> PublishAsync(string topic) => server.Load.Channel.UnaryAsync(
        new RpcMethod<IMessage, PublishResponse>("/cache_client.pubsub.Pubsub/Publish", new AnyMessageCodec(), new ProtobufCodec<PublishResponse>()),
        new PublishRequest { CacheName = "cache", Topic = topic, Value = new TopicValue { Text = "a" } },
        RpcHeaders.Empty,
        TimeSpan.FromSeconds(20),
        CancellationToken.None);

    private static string Row(string first) =>
        $"[...document.querySelectorAll('main tbody tr')].find((row) => row.cells[0].textContent === {System.Text.Json.JsonSerializer.Serialize(first)})";
}
