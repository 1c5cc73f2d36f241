using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Topics;

/// <summary>Tests the effects of network and server faults on a subscription (N5, N12).</summary>
public sealed class TopicFaultTests
{
    public static TheoryData<string> Losses => ["reset", "broken", "ok", "unavailable", "unknown", "deadline", "garbage", "torn", "huge", "hollow"];

    [Theory]
    [MemberData(nameof(Losses))]
    public async Task Lost_stream_resumes_without_losses_or_duplicates(string loss)
    {
        TaskCompletionSource wereRead = new();
        await using TopicScript server = await TopicScript.StartAsync(
            async call =>
            {
                await call.BeginAsync("7-1");
                await call.ItemAsync(1);
                await call.ItemAsync(2);
                await wereRead.Task;
                await LoseAsync(call, loss);
            },
            static async call =>
            {
                await call.BeginAsync();
                await call.ItemAsync(2);
                await call.ItemAsync(3);
                await call.HoldAsync();
            });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal(["7-1 1", "7-2 2"], await events.TakeAsync(2));
        wereRead.SetResult();
        Assert.Equal("7-3 3", await events.NextAsync());
        Assert.Equal((3UL, 7UL), (server.Calls[1].Request.ResumeAtTopicSequenceNumber, server.Calls[1].Request.SequencePage));
        Assert.Equal(1, client.Topics.Reconnects);
    }

    [Fact]
    public async Task Stream_lost_before_first_message_resumes_where_server_started_it()
    {
        TaskCompletionSource hasBegun = new();
        await using TopicScript server = await TopicScript.StartAsync(
            async call =>
            {
                await call.BeginAsync("7-5");
                await hasBegun.Task;
                call.Break();
            },
            static async call =>
            {
                await call.BeginAsync();
                await call.ItemAsync(5);
                await call.HoldAsync();
            });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        SubscribeOptions options = new() { From = TopicStart.Now, Heartbeats = true };
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t", options).GetAsyncEnumerator();
        Assert.Equal("heartbeat", await events.NextAsync());
        hasBegun.SetResult();
        Assert.Equal("heartbeat", await events.NextAsync());
        Assert.Equal("7-5 5", await events.NextAsync());
        TopicCall again = server.Calls[^1];
        Assert.Equal((5UL, 7UL), (again.Request.ResumeAtTopicSequenceNumber, again.Request.SequencePage));
        Assert.False(again.Headers.ContainsKey("topic-from"));
    }

    [Theory]
    [InlineData(3, CacheErrorCode.InvalidArgument)]
    [InlineData(5, CacheErrorCode.NotFound)]
    [InlineData(7, CacheErrorCode.PermissionDenied)]
    [InlineData(8, CacheErrorCode.LimitExceeded)]
    [InlineData(9, CacheErrorCode.FailedPrecondition)]
    [InlineData(12, CacheErrorCode.Unknown)]
    [InlineData(16, CacheErrorCode.Unauthenticated)]
    public async Task Rejected_subscription_returns_one_error_and_ends(int status, CacheErrorCode code)
    {
        await using TopicScript server = await TopicScript.StartAsync(call => call.EndAsync(status, "why"));
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal($"error {code}", await events.NextAsync());
        TopicEvent.Error error = Assert.IsType<TopicEvent.Error>(events.Current);
        Assert.Equal(("why", "subscribe", 1, 1), (error.Failure.Cause, error.Failure.Operation, error.Failure.KeyLength, error.Failure.Attempts));
        Assert.Equal("end", await events.NextAsync());
        Assert.Single(server.Calls);
        Assert.Equal((0, 0), (client.Topics.Subscriptions, client.Topics.Connections));
    }

    [Fact]
    public async Task Subscription_fails_with_Unavailable_if_every_stream_ends_with_OK()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.EndAsync());
        string[] told = [];
        // On a slow machine, the first attempt may use up the short timeout. So the test tries a longer timeout if the short one fails.
        foreach (int seconds in (int[])[2, 20])
        {
            await using CacheClient client = server.Connect(TopicScript.QuickRetries with { RequestTimeout = TimeSpan.FromSeconds(seconds) });
            await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
            told = [.. await events.TakeAsync(2)];
            if (told[0] != "error Timeout")
            {
                break;
            }
        }

        Assert.Equal(["error Unavailable", "end"], told);
        Assert.True(server.Calls.Length > 1, "it was asked once");
    }

    [Fact]
    public async Task Deleted_cache_ends_a_subscription_but_full_server_does_not()
    {
        TaskCompletionSource hasBegun = new();
        await using TopicScript server = await TopicScript.StartAsync(
            async call =>
            {
                await call.BeginAsync("7-1");
                await hasBegun.Task;
                call.Reset();
            },
            static call => call.EndAsync(8),
            static async call =>
            {
                await call.BeginAsync();
                await call.ItemAsync(1);
                await call.EndAsync(5);
            });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t", new() { Heartbeats = true }).GetAsyncEnumerator();
        Assert.Equal("heartbeat", await events.NextAsync());
        hasBegun.SetResult();
        Assert.Equal(["heartbeat", "7-1 1", "error NotFound", "end"], await events.TakeAsync(4));
    }

    [Fact]
    public async Task Refused_connection_fails_a_subscription_within_the_request_timeout()
    {
        int port;
        await using (TopicScript gone = await TopicScript.StartAsync(static call => call.HoldAsync()))
        {
            port = gone.Port;
        }

        Configuration configuration = TopicScript.QuickRetries with { RequestTimeout = TimeSpan.FromMilliseconds(200) };
        await using CacheClient client = new(configuration, CredentialProvider.Local(port: port), TimeSpan.FromMinutes(1));
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal(["error Unavailable", "end"], await events.TakeAsync(2));
        Assert.Contains("refused", Assert.IsType<TopicEvent.Error>(events.Current).Message, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Subscription_without_a_first_message_times_out(bool sendsHeaders)
    {
        await using TopicScript server = await TopicScript.StartAsync(async call =>
        {
            if (sendsHeaders)
            {
                await call.WriteAsync([], length: 100);
            }

            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries with { RequestTimeout = TimeSpan.FromMilliseconds(200) });
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal(["error Timeout", "end"], await events.TakeAsync(2));
        await Eventually.Holds(() => server.Open == 0, "the stream was given up");
    }

    [Fact]
    public async Task Silent_stream_is_replaced_only_while_a_reader_waits()
    {
        await using TopicScript server = await TopicScript.StartAsync(
            static async call =>
            {
                await call.BeginAsync("7-1");
                await call.ItemAsync(1);
                await call.HoldAsync();
            },
            static async call =>
            {
                await call.BeginAsync();
                await call.ItemAsync(2);
                await call.HoldAsync();
            });
        ManualTime time = new();
        Configuration configuration = TopicScript.QuickRetries with { KeepaliveInterval = null };
        await using CacheClient client = new(
            configuration, CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1), NullLoggerFactory.Instance, time);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal("7-1 1", await events.NextAsync());
        time.Advance(TimeSpan.FromHours(1));
        Task<string> next = events.NextAsync();
        time.Advance(TimeSpan.FromMilliseconds(4_900));
        Assert.Single(server.Calls);
        Assert.Equal(1, server.Open);
        time.Advance(TimeSpan.FromMilliseconds(200));
        await Eventually.Holds(() => server.Open == 0 || server.Calls.Length == 2, "the silent stream was given up");
        await Eventually.Holds(
            () =>
            {
                // Waits for the back-off before the client subscribes again.
                time.Advance(TimeSpan.FromMilliseconds(5));
                return next.IsCompleted;
            },
            "it asked again");
        Assert.Equal("7-2 2", await next);
        Assert.Equal(2UL, server.Calls[1].Request.ResumeAtTopicSequenceNumber);
    }

    [Fact]
    public async Task Subscription_resumes_at_the_same_position_on_another_gateway()
    {
        TaskCompletionSource wasRead = new();
        await using TopicScript one = await TopicScript.StartAsync(ServeAsync);
        await using TopicScript other = await TopicScript.StartAsync(ServeAsync);
        CredentialProvider both = CredentialProvider.FromString($"http://127.0.0.1:{one.Port},http://127.0.0.1:{other.Port}");
        await using CacheClient client = new(TopicScript.QuickRetries, both, TimeSpan.FromMinutes(1));
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal("7-1 1", await events.NextAsync());
        wasRead.SetResult();
        Assert.Equal("7-2 2", await events.NextAsync());
        Assert.Equal((1, 1), (one.Calls.Length, other.Calls.Length));

        async Task ServeAsync(TopicCall call)
        {
            bool isFirst = call.Request.ResumeAtTopicSequenceNumber == 0;
            await call.BeginAsync("7-1");
            await call.ItemAsync(isFirst ? 1UL : 2UL);
            await wasRead.Task;
            if (isFirst)
            {
                call.Reset();
            }

            await call.HoldAsync();
        }
    }

    [Fact]
    public async Task AUTH_31_rejected_token_is_renewed_and_the_subscription_continues()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            if (call.Headers["authorization"] == "old")
            {
                await call.EndAsync(16);
                return;
            }

            await call.BeginAsync("7-1");
            await call.ItemAsync(1);
            await call.HoldAsync();
        });
        int asked = 0;
        CredentialProvider credentials = CredentialProvider.Local(port: server.Port)
            .WithToken(TokenProvider.From(() => Interlocked.Increment(ref asked) == 1 ? "old" : "new"));
        await using CacheClient client = new(TopicScript.QuickRetries, credentials, TimeSpan.FromMinutes(1));
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal("7-1 1", await events.NextAsync());
        Assert.Equal(2, asked);
    }

    [Fact]
    public async Task Subscription_ends_if_the_provider_has_no_new_token()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.EndAsync(16));
        foreach (Func<string> provider in (Func<string>[])[static () => "same", static () => throw new InvalidOperationException("secret")])
        {
            CredentialProvider credentials = CredentialProvider.Local(port: server.Port).WithToken(TokenProvider.From(provider));
            await using CacheClient client = new(TopicScript.QuickRetries, credentials, TimeSpan.FromMinutes(1));
            await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
            Assert.Equal("error Unauthenticated", await events.NextAsync());
            Assert.DoesNotContain("secret", ((TopicEvent.Error)events.Current).Message, StringComparison.Ordinal);
            Assert.Equal("end", await events.NextAsync());
        }
    }

    private static async Task LoseAsync(TopicCall call, string loss)
    {
        switch (loss)
        {
            case "reset":
                call.Reset();
                break;
            case "broken":
                call.Break();
                break;
            case "ok":
                await call.EndAsync();
                break;
            case "unavailable":
                await call.EndAsync(14);
                break;
            case "unknown":
                await call.EndAsync(2);
                break;
            case "deadline":
                await call.EndAsync(4);
                break;
            case "garbage":
                await call.WriteAsync([0x0A, 0xFF, 0xFF]);
                await call.HoldAsync();
                break;
            case "torn":
                await call.WriteAsync([1, 2, 3], length: 100);
                await call.EndAsync();
                break;
            case "huge":
                await call.WriteAsync([1, 2, 3], length: 1 << 30);
                await call.HoldAsync();
                break;
            default:
                // A message that contains an item with truncated fields.
                await call.WriteAsync([0x0A, 0x02, 0x08, 0x80]);
                await call.HoldAsync();
                break;
        }
    }
}
