using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>Tests with a token file that changes while calls and streams run. Access always matches the file (AUTH-13, AUTH-14).</summary>
public sealed class AccessReloadTests
{
    private const string Web = "web";

    [Fact]
    public async Task Token_rotation_accepts_both_tokens_until_one_is_removed()
    {
        using TokensOnDisk tokens = new(Entry("first"));
        await using RunningServer server = await StartAsync(tokens);
        await using PipelineClient early = await OpenAsync(server, "first");
        Assert.Equal(StatusCode.Ok, await AskAsync(early));
        tokens.Write(Entry("first", "second"));
        Assert.True(server.Server.Reload());
        await using PipelineClient late = await OpenAsync(server, "second");
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), (await AskAsync(early), await AskAsync(late)));
        tokens.Write(Entry("second"));
        Assert.True(server.Server.Reload());
        Assert.Equal(StatusCode.Ok, await AskAsync(late));
        await AssertEndedAsync(early);
        Assert.Equal(StatusCode.Unauthenticated, await UnaryAsync(server, "first"));
        Assert.Equal(StatusCode.Ok, await UnaryAsync(server, "second"));
    }

    [Fact]
    public async Task Changed_grants_apply_to_next_call_of_open_stream()
    {
        using TokensOnDisk tokens = new(Entry(Web));
        await using RunningServer server = await StartAsync(tokens);
        await using PipelineClient client = await OpenAsync(server, Web);
        Assert.Equal(StatusCode.Ok, await AskAsync(client));
        tokens.Write(TokensOnDisk.Entry(Web, "write", RunningServer.Cache, secrets: Web));
        Assert.True(server.Server.Reload());
        Assert.Equal(StatusCode.PermissionDenied, await AskAsync(client));
        tokens.Write(TokensOnDisk.Entry(Web, "read", RunningServer.Cache, "k", secrets: Web));
        Assert.True(server.Server.Reload());
        Assert.Equal(StatusCode.Ok, await AskAsync(client));
        Assert.Equal(StatusCode.PermissionDenied, await AskAsync(client, key: "other"));
    }

    [Fact]
    public async Task Automatic_reload_of_token_file_ends_streams_of_removed_tokens()
    {
        using TokensOnDisk tokens = new(Entry(Web));
        await using RunningServer server = await StartAsync(tokens);
        await using PipelineClient client = await OpenAsync(server, Web);
        Assert.Equal(StatusCode.Ok, await AskAsync(client));
        tokens.Write(Entry("another"));
        // The client sends nothing, so the server must end the idle stream.
        await AssertEndedAsync(client);
        Assert.Equal(StatusCode.Unauthenticated, await UnaryAsync(server, Web));
        Assert.Equal(StatusCode.Ok, await UnaryAsync(server, "another"));
    }

    [Fact]
    public async Task Replaced_symbolic_link_loads_the_new_token_file()
    {
        using TokensOnDisk first = new(Entry("first"));
        using TokensOnDisk second = new(Entry("second"));
        string folder = Path.GetDirectoryName(first.Path)!;
        // Simulates how orchestrators replace mounted secrets: the path of the file contains a symbolic link to a folder, and the link is replaced.
        string data = Path.Combine(folder, "..data");
        Directory.CreateSymbolicLink(data, folder);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = Path.Combine(data, "tokens.json") });
        Assert.Equal(StatusCode.Ok, await UnaryAsync(server, "first"));
        string aside = Path.Combine(folder, "..data_tmp");
        Directory.CreateSymbolicLink(aside, Path.GetDirectoryName(second.Path)!);
        Directory.Move(aside, data + ".new");
        Directory.Delete(data);
        Directory.Move(data + ".new", data);
        await Until.TrueAsync(async () => await UnaryAsync(server, "second") == StatusCode.Ok, "the new file holds");
        Assert.Equal(StatusCode.Unauthenticated, await UnaryAsync(server, "first"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{\"tokens\": [")]
    [InlineData("{\"tokens\": [{\"id\": \"web\"}]}")]
    public async Task Broken_token_file_is_counted_and_previous_tokens_stay_valid(string broken)
    {
        using TokensOnDisk tokens = new(Entry(Web));
        await using RunningServer server = await StartAsync(tokens);
        await using PipelineClient client = await OpenAsync(server, Web);
        tokens.WriteText(broken);
        await AssertFailuresAsync(server, 1);
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), (await AskAsync(client), await UnaryAsync(server, Web)));
        File.Delete(tokens.Path);
        await AssertFailuresAsync(server, 2);
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), (await AskAsync(client), await UnaryAsync(server, Web)));
        tokens.Write(Entry("another"));
        await AssertEndedAsync(client);
    }

    [Fact]
    public async Task Token_expiry_follows_the_wall_clock_for_calls_and_streams()
    {
        WallClock clock = new(new DateTimeOffset(2026, 12, 31, 0, 0, 0, TimeSpan.Zero));
        using TokensOnDisk tokens = new(TokensOnDisk.Entry(Web, "admin", "*", expires: "2027-01-01T00:00:00Z", secrets: Web));
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path, TimeProvider = clock });
        await using PipelineClient client = await OpenAsync(server, Web);
        await using PipelineClient waiting = await OpenAsync(server, Web);
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), (await AskAsync(client), await UnaryAsync(server, Web)));
        clock.Now += TimeSpan.FromDays(1) - TimeSpan.FromTicks(1);
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), (await AskAsync(client), await UnaryAsync(server, Web)));
        clock.Now += TimeSpan.FromTicks(1);
        // The server detects a change of the wall clock within a quarter of a second. Without such a change, a timer detects that the token has expired.
        await Until.TrueAsync(async () => await UnaryAsync(server, Web) == StatusCode.Unauthenticated, "it has ended");
        await AssertEndedAsync(waiting);
        await AssertEndedAsync(client);
        // Simulates a wrong clock that is corrected.
        clock.Now -= TimeSpan.FromHours(1);
        Assert.Equal(StatusCode.Ok, await UnaryAsync(server, Web));
    }

    [Fact]
    public async Task Reload_ends_all_streams_of_revoked_token_and_no_others()
    {
        using TokensOnDisk tokens = new(Entry("stays"), TokensOnDisk.Entry("goes", "read", "*", secrets: "goes"));
        await using RunningServer server = await StartAsync(tokens);
        PipelineClient[] staying = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => OpenAsync(server, "stays")));
        PipelineClient[] going = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => OpenAsync(server, "goes")));
        using CancellationTokenSource done = new();
        Task<int>[] busy = [.. staying.Select(client => AskUntilAsync(client, done.Token))];
        Task[] ending = [.. going.Select(AskUntilEndedAsync)];
        tokens.Write(Entry("stays", "next"));
        Assert.True(server.Server.Reload());
        tokens.WriteText("broken");
        Assert.False(server.Server.Reload());
        await Task.WhenAll(ending);
        await done.CancelAsync();
        Assert.All(await Task.WhenAll(busy), static asked => Assert.NotEqual(0, asked));
        foreach (PipelineClient client in staying.Concat(going))
        {
            await client.DisposeAsync();
        }
    }

    private static async Task<int> AskUntilAsync(PipelineClient client, CancellationToken done)
    {
        int asked = 0;
        for (; asked == 0 || !done.IsCancellationRequested; asked++)
        {
            Assert.Equal(StatusCode.Ok, await AskAsync(client));
        }

        return asked;
    }

    private static async Task AskUntilEndedAsync(PipelineClient client)
    {
        using CancellationTokenSource patience = new(RunningServer.Patience);
        StatusCode status = StatusCode.Ok;
        while (status == StatusCode.Ok && !patience.IsCancellationRequested)
        {
            try
            {
                status = await AskAsync(client);
            }
            catch (RpcException)
            {
                // The stream ended during a call, so check the status of the stream.
                await AssertEndedAsync(client);
                return;
            }
        }

        Assert.Equal(StatusCode.Unauthenticated, status);
    }

    private static string Entry(params string[] secrets) => TokensOnDisk.Entry("id", "admin", "*", secrets: secrets);

    private static Task<RunningServer> StartAsync(TokensOnDisk tokens) => RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });

    private static Task<PipelineClient> OpenAsync(RunningServer server, string secret) =>
        PipelineClient.OpenAsync(server, RunningServer.CacheHeaders().With("authorization", secret));

    private static async Task<StatusCode> AskAsync(PipelineClient client, string key = "k")
    {
        Result result = await client.AskAsync(new Operation { Id = 1, Get = new GetRequest { Key = CallHarness.Bytes(key) } });
        return result.OutcomeCase == Result.OutcomeOneofCase.Status ? (StatusCode)result.Status.Code : StatusCode.Ok;
    }

    private static async Task<StatusCode> UnaryAsync(RunningServer server, string secret)
    {
        try
        {
            await server.CallAsync<GetResponse>(
                "/cache_client.Scs/Get",
                new GetRequest { Key = CallHarness.Bytes("k") },
                RunningServer.CacheHeaders().With("authorization", secret));
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static Task AssertFailuresAsync(RunningServer server, int failures) => Until.TrueAsync(
        async () => (await MetricsAsync(server, Web)).Contains($"\nlarder_reload_failures_total {failures}\n", StringComparison.Ordinal),
        "it is counted");

    private static async Task<string> MetricsAsync(RunningServer server, string secret)
    {
        using HttpClient http = new();
        http.DefaultRequestHeaders.Authorization = new("Bearer", secret);
        return await http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
    }

    private static async Task AssertEndedAsync(PipelineClient client)
    {
        RpcException ended = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await client.ReadAsync() is not null)
            {
            }
        });
        Assert.Equal(StatusCode.Unauthenticated, ended.Status.Code);
    }

    private sealed class WallClock(DateTimeOffset now) : TimeProvider
    {
        private long _ticks = now.UtcTicks;

        public DateTimeOffset Now
        {
            get => new(Volatile.Read(ref _ticks), TimeSpan.Zero);
            set => Volatile.Write(ref _ticks, value.UtcTicks);
        }

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
