using System.Collections.Concurrent;
using System.Globalization;
using System.Net.Sockets;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Configuration;
using Larder.Server.Console;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>S6: tests with a separate process, which is ended in every possible way.</summary>
public sealed class SnapshotFaultTests : IDisposable
{
    private const int Keys = 1_000;
    private const int MaxRounds = 16;
    private static readonly HttpClient Http = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-killed-").FullName;

    private string SnapshotPath => Path.Combine(_folder, "cache.snapshot");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task S6_SIGTERM_writes_a_snapshot_that_the_successor_loads()
    {
        // The test uses the environment variable, which has the same effect as the option.
        ServerProcessOptions options = new() { Environment = new Dictionary<string, string?> { [EnvironmentSettings.SnapshotVariable] = SnapshotPath } };
        using (ServerProcess first = await ServerProcess.StartAsync(options))
        {
            await using RpcChannel channel = StallTolerantChannel.To(first.Endpoint);
            await channel.SetAsync("k", [1]);
            first.Signal(Signals.Terminate);
            Assert.Equal(0, await first.WaitForExitAsync());
        }

        using ServerProcess second = await ServerProcess.StartAsync(options);
        await using RpcChannel again = StallTolerantChannel.To(second.Endpoint);
        Assert.Equal(CacheResult.Hit, await again.GetAsync("k"));
    }

    [Fact]
    public Task S6_last_complete_snapshot_is_loaded_after_kill_during_write() => KillDuringWritesAsync(kills: 2);

    [LongFact]
    public Task S6_last_complete_snapshot_is_loaded_after_many_kills_during_write() => KillDuringWritesAsync(kills: 8);

    private async Task KillDuringWritesAsync(int kills)
    {
        Random random = new(20);
        int least = 0;
        int interrupted = 0;
        for (int round = 1; interrupted < kills && round <= 2 * MaxRounds; round += 2)
        {
            using ServerProcess server = await ServerProcess.StartAsync("--snapshot", SnapshotPath);
            await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);

            // All values are from the same round. This is either the last round with a finished snapshot, or the round whose snapshot was being written.
            int found = await RoundAsync(channel);
            Assert.InRange(found, least, round - 1);
            await SetAllAsync(channel, round);
            Assert.True(await CommandAsync(server));
            least = round;
            await SetAllAsync(channel, round + 1);
            Task<bool> writing = CommandAsync(server);

            // A snapshot takes some tens of milliseconds.
            await Task.Delay(random.Next(30));
            server.Signal(Signals.Kill);
            interrupted += await writing ? 0 : 1;
        }

        Assert.Equal(kills, interrupted);
        Assert.DoesNotContain(Directory.GetFiles(_folder), file => file.Contains(".aside-", StringComparison.Ordinal));
    }

    [Fact]
    public async Task S6_flushed_items_do_not_return_after_kill_and_restart()
    {
        RpcMethod<FlushCacheRequest, FlushCacheResponse> flush = new(
            "/control_client.ScsControl/FlushCache",
            new ProtobufCodec<FlushCacheRequest>(),
            new ProtobufCodec<FlushCacheResponse>());
        using (ServerProcess first = await ServerProcess.StartAsync("--snapshot", SnapshotPath))
        {
            await using RpcChannel channel = StallTolerantChannel.To(first.Endpoint);
            await channel.SetAsync("k", [1]);
            Assert.True(await CommandAsync(first));
            await channel.UnaryAsync(flush, new FlushCacheRequest { Name = "cache" }, RpcHeaders.Empty, RunningServer.Patience, CancellationToken.None);
            first.Signal(Signals.Kill);
            await first.WaitForExitAsync();
        }

        using ServerProcess second = await ServerProcess.StartAsync("--snapshot", SnapshotPath);
        await using RpcChannel again = StallTolerantChannel.To(second.Endpoint);
        Assert.Equal(CacheResult.Miss, await again.GetAsync("k"));
    }

    private static Task SetAllAsync(RpcChannel channel, int round)
    {
        // The total size of all values is 10 MB.
        byte[] value = new byte[10_000];
        BitConverter.TryWriteBytes(value, round);
        return Parallel.ForAsync(0, Keys, async (i, _) => await channel.SetAsync(i.ToString(CultureInfo.InvariantCulture), value));
    }

    private static async Task<int> RoundAsync(RpcChannel channel)
    {
        ConcurrentDictionary<int, bool> rounds = [];
        await Parallel.ForAsync(0, Keys, async (i, _) =>
        {
            GetRequest request = new() { Key = Calls.CallHarness.Bytes(i.ToString(CultureInfo.InvariantCulture)) };
            GetResponse found = await channel.UnaryAsync(FaultCalls.GetMethod, request, RunningServer.CacheHeaders(), RunningServer.Patience, default);
            rounds[found.Result == CacheResult.Hit ? BitConverter.ToInt32(found.Value.Span) : 0] = true;
        });
        return Assert.Single(rounds).Key;
    }

    private static async Task<bool> CommandAsync(ServerProcess server)
    {
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(server.Console, SnapshotCommand.Path));
        request.Headers.Add(SnapshotCommand.Header, "snapshot");
        try
        {
            using HttpResponseMessage response = await Http.SendAsync(request);
            return response.IsSuccessStatusCode;
        }
        catch (Exception error) when (error is HttpRequestException or SocketException)
        {
            // The server was killed during the request. HttpClient does not wrap the exception of a connection that is lost while it is being established.
            return false;
        }
    }
}
