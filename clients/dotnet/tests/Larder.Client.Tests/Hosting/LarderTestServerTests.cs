using System.Net.NetworkInformation;
using Larder.Client.Tests.Support;
using Larder.Harness;
using Larder.Harness.Clocks;
using Larder.Harness.Processes;
using Larder.Testing;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests the server that runs inside a test process.</summary>
public sealed class LarderTestServerTests
{
    [Fact]
    public async Task LarderTestServer_starts_and_its_client_stores_and_reads_an_item()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        CacheClient client = server.CreateClient();
        Expect.Success(await client.Cache("cache").SetAsync("k", "v"));
        Assert.Equal("v", Expect.Hit(await client.Cache("cache").GetAsync("k")).Text);
        Assert.Equal($"http://127.0.0.1:{server.Port}", server.Url);
        Assert.Equal(server.Port, server.Endpoint.Port);
    }

    [Fact]
    public async Task LarderTestServers_share_no_items()
    {
        LarderTestServer[] servers = await Task.WhenAll(Enumerable.Range(0, 8).Select(static _ => LarderTestServer.StartAsync()));
        Assert.Equal(8, servers.Select(static server => server.Port).Distinct().Count());
        for (int i = 0; i < servers.Length; i++)
        {
            await servers[i].CreateClient().Cache("cache").SetAsync("k", $"{i}");
        }

        for (int i = 0; i < servers.Length; i++)
        {
            Assert.Equal($"{i}", Expect.Hit(await servers[i].CreateClient().Cache("cache").GetAsync("k")).Text);
            await servers[i].DisposeAsync();
        }
    }

    [Fact]
    public async Task LarderTestServer_listens_on_one_loopback_port_until_disposed()
    {
        LarderTestServer server = await LarderTestServer.StartAsync();
        Assert.Contains(Listeners(), address => address == $"127.0.0.1:{server.Port}");
        CacheClient client = server.CreateClient();
        await client.Cache("cache").SetAsync("k", "v");
        await server.DisposeAsync();
        await server.DisposeAsync();
        Assert.DoesNotContain(Listeners(), address => address.EndsWith($":{server.Port}", StringComparison.Ordinal));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.Cache("cache").GetAsync("k").AsTask());
        Assert.Throws<ObjectDisposedException>(() => server.CreateClient());
    }

    [Fact]
    public async Task LarderTestServer_rejects_a_used_port_and_reuses_a_freed_one()
    {
        LarderTestServer first = await LarderTestServer.StartAsync();
        LarderTestServerOptions samePort = new() { Port = first.Port };
        IOException taken = await Assert.ThrowsAsync<IOException>(() => LarderTestServer.StartAsync(samePort));
        Assert.Contains($"{first.Port}", taken.Message, StringComparison.Ordinal);
        await first.CreateClient().Cache("cache").SetAsync("k", "v");
        await first.DisposeAsync();
        await using LarderTestServer second = await LarderTestServer.StartAsync(samePort);
        Expect.Miss(await second.CreateClient().Cache("cache").GetAsync("k"));
    }

    [Fact]
    public async Task LarderTestServers_leave_no_threads_after_disposal()
    {
        await using (LarderTestServer warm = await LarderTestServer.StartAsync())
        {
            await warm.CreateClient().Cache("cache").SetAsync("k", "v");
        }

        int before = GuardThreads();
        for (int i = 0; i < 20; i++)
        {
            await using LarderTestServer server = await LarderTestServer.StartAsync();
            await server.CreateClient().Cache("cache").SetAsync("k", "v");
        }

        await Eventually.Holds(() => GuardThreads() <= before, "the servers' threads have ended");
    }

    [Fact]
    public async Task LarderTestServer_uses_the_given_clock()
    {
        ManualTime time = new();
        await using LarderTestServer server = await LarderTestServer.StartAsync(new LarderTestServerOptions { TimeProvider = time });
        CacheClient client = server.CreateClient();
        await client.Cache("cache").SetAsync("k", "v", TimeSpan.FromMilliseconds(500));
        time.Advance(TimeSpan.FromMilliseconds(499));
        Expect.Hit(await client.Cache("cache").GetAsync("k"));
        time.Advance(TimeSpan.FromMilliseconds(1));
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
    }

    [Fact]
    public async Task LarderTestServer_requires_its_token_and_includes_it_in_Url()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync(
            new LarderTestServerOptions { Token = "s@c/ret", CacheName = "mine", MaxTtl = TimeSpan.FromMinutes(1) });
        Expect.Success(await server.CreateClient().Cache("mine").SetAsync("k", "v"));
        await using CacheClient named = new(
            Configurations.Laptop.Latest() with { RequestTimeout = TimeSpan.FromSeconds(40) },
            CredentialProvider.FromString(server.Url),
            TimeSpan.FromMinutes(1));
        Expect.Hit(await named.Cache("mine").GetAsync("k"));
        await using CacheClient stranger = new(
            Configurations.Laptop.Latest() with { RequestTimeout = TimeSpan.FromSeconds(40) },
            CredentialProvider.Local(port: server.Port),
            TimeSpan.FromMinutes(1));
        Assert.Equal(CacheErrorCode.Unauthenticated, Expect.Error(await stranger.Cache("mine").GetAsync("k")).Code);
        CacheResult longer = await server.CreateClient().Cache("mine").SetAsync("k", "v", TimeSpan.FromMinutes(2));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(longer).Code);
    }

    [Fact]
    public async Task LarderTestServer_rejects_invalid_options()
    {
        foreach (
            LarderTestServerOptions wrong in (LarderTestServerOptions[])
                [
                    new() { Port = -1 }, new() { Port = 65_536 }, new() { MemoryBytes = (16 << 20) - 1 }, new() { MemoryBytes = -1 }, new() { CacheName = " " },
                    new() { CacheName = null! }, new() { MaxTtl = TimeSpan.Zero }, new() { MaxTtl = TimeSpan.FromDays(366) }, new() { Token = "" },
                    new() { TimeProvider = null! },
                ])
        {
            await Assert.ThrowsAsync<ArgumentException>("options", () => LarderTestServer.StartAsync(wrong));
        }

        await using LarderTestServer least = await LarderTestServer.StartAsync(new LarderTestServerOptions { MemoryBytes = 16 << 20 });
        Assert.Throws<ArgumentOutOfRangeException>(() => least.CreateClient(defaultTtl: TimeSpan.Zero));
    }

    [Fact]
    public async Task LarderTestServer_cancelled_start_throws()
    {
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => LarderTestServer.StartAsync(cancellationToken: new CancellationToken(true)));
    }

    /// <summary>
    /// Runs the conformance suite against the test server. The default is a subset of the vectors: those that the options of the test server can affect. If
    /// <c>LARDER_LONG</c> is 1, all rules are run.
    /// </summary>
    [Theory]
    [InlineData("unary")]
    [InlineData("pipeline")]
    public async Task LarderTestServer_passes_the_conformance_vectors(string transport)
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync(new LarderTestServerOptions { FaultInjection = true, MemoryBytes = 1L << 30 });
        bool isLong = Environment.GetEnvironmentVariable("LARDER_LONG") == "1";
        string[] ofOptions = ["CTRL", "DEADLINE", "GET", "LIM", "RETRY", "SET-", "TOP", "TTL"];
        string[] rules = isLong ? [] : [.. ofOptions.SelectMany(static rule => (string[])["--rule", rule])];
        ProgramRun run = await ProgramRun.OfAsync(
            ProgramCommand.Dotnet(
                "conformance",
                Checkout.Program("conformance/src/Larder.Conformance"),
                ["--endpoint", $"127.0.0.1:{server.Port}", "--only", "dotnet", "--transport", transport, .. rules]),
            patience: TimeSpan.FromMinutes(5));
        Assert.True(run.ExitCode == 0, run.Log);
        Assert.Matches(@"[1-9]\d\d passed, 0 failed", run.Output);
    }

    private static IEnumerable<string> Listeners() =>
        IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Select(static each => each.ToString());

    // Counts the threads of the pause guard by their name. Linux truncates thread names to 15 characters.
    private static int GuardThreads() => !OperatingSystem.IsLinux() ? 0 : Directory.GetDirectories("/proc/self/task").Count(static task =>
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm")).StartsWith("larder-pause-gu", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            // The thread has ended.
            return false;
        }
    });
}
