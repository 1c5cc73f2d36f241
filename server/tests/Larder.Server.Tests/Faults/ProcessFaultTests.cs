using System.Text.Json;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class ProcessFaultTests
{
    [Fact]
    public async Task S2_SIGTERM_under_load_drains_and_exits_with_code_0()
    {
        using ServerProcess server = await ServerProcess.StartAsync();
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await channel.AssertServesAsync();
        using CancellationTokenSource gone = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(_ => CallUntilGoneAsync(channel, gone.Token))];
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
        await gone.CancelAsync();
        await Task.WhenAll(callers);
        Assert.Contains("drain", await server.WholeLogAsync(), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task SIGHUP_keeps_server_running_and_log_lines_have_timestamps()
    {
        using ServerProcess server = await ServerProcess.StartAsync();
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        server.Signal(Signals.HangUp);
        await channel.AssertServesAsync(calls: 50);
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
        string[] lines = (await server.WholeLogAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.NotEmpty(lines);
        Assert.All(lines, line =>
        {
            using JsonDocument entry = JsonDocument.Parse(line);
            Assert.True(entry.RootElement.GetProperty("Timestamp").GetDateTimeOffset() > DateTimeOffset.UnixEpoch);
        });
    }

    [Fact]
    public async Task Log_honours_requested_format_and_level()
    {
        using ServerProcess server = await ServerProcess.StartAsync("--log-format", "text", "--log-level", "warning");
        server.Signal(Signals.HangUp);
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
        string line = Assert.Single((await server.WholeLogAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Matches(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warn: Larder\.Server\[14\] Nothing to reload", line);
    }

    [Fact]
    public async Task Blocked_log_output_does_not_block_calls_or_shutdown()
    {
        using ServerProcess server = await ServerProcess.StartAsync(new ServerProcessOptions { Runner = Runners.WithFullLog });
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await channel.AssertServesAsync(calls: 50);
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
    }

    [Fact]
    public async Task S2_retried_idempotent_calls_survive_handover_to_a_successor()
    {
        using ServerProcess first = await ServerProcess.StartAsync();
        await using RpcChannel channel = StallTolerantChannel.To(first.Endpoint);
        await channel.AssertServesAsync();
        using CancellationTokenSource over = new();
        Task[] callers = [.. Enumerable.Range(0, 10).Select(_ => SetAgainAndAgainAsync(channel, over.Token))];
        first.Signal(Signals.Terminate);
        Assert.Equal(0, await first.WaitForExitAsync());
        using ServerProcess second = await ServerProcess.StartAtAsync(first.Endpoint.Port);
        await Until.TrueAsync(() => AnswersAsync(channel), "the successor answers");
        await over.CancelAsync();
        await Task.WhenAll(callers);
    }

    [Fact]
    public async Task S3_calls_of_a_paused_server_are_not_executed_after_deadline()
    {
        using ServerProcess server = await ServerProcess.StartAsync();
        await using RpcChannel channel = new(StallTolerantChannel.Options(server.Endpoint) with { KeepAlivePingDelay = Timeout.InfiniteTimeSpan });
        await channel.AssertServesAsync();
        // The process is paused until the deadlines of all calls have passed, which takes 10 s.
        server.Pause();
        Task<StatusCode>[] calls = [.. Enumerable.Range(0, 20).Select(_ => IncrementAsync(channel, TimeSpan.FromSeconds(10)))];
        StatusCode[] outcomes = await Task.WhenAll(calls);
        Assert.All(outcomes, outcome => Assert.Equal(StatusCode.DeadlineExceeded, outcome));
        server.Resume();
        await using RpcChannel fresh = StallTolerantChannel.To(server.Endpoint);
        await Until.TrueAsync(() => AnswersAsync(fresh), "the server answers again");
        Assert.Equal(CacheResult.Miss, await fresh.GetAsync("counter"));
        await fresh.AssertServesAsync();
    }

    [FakeTimeFact]
    public async Task S4_wall_clock_jump_does_not_affect_expiry()
    {
        string clock = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(clock, "+0");
            using ServerProcess server = await ServerProcess.StartAsync(new ServerProcessOptions
            {
                Environment = new Dictionary<string, string?>
                {
                    ["LD_PRELOAD"] = FakeTimeFactAttribute.Library!,
                    ["FAKETIME_TIMESTAMP_FILE"] = clock,
                    ["FAKETIME_NO_CACHE"] = "1",
                    // The monotonic clock is not changed. Only the wall clock jumps, as it does when an operator sets it.
                    ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
                },
            });
            await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
            await channel.SetAsync("hour", [1], ttlMs: 3_600_000);
            foreach (string jump in new[] { "+1y", "-3600" })
            {
                await File.WriteAllTextAsync(clock, jump);
                Assert.Equal(CacheResult.Hit, await channel.GetAsync("hour"));
                await channel.SetAsync("moment", [1], ttlMs: 200);
                await Until.TrueAsync(async () => await channel.GetAsync("moment") == CacheResult.Miss, $"an entry of 200 ms expires with the clock at {jump}");
            }
        }
        finally
        {
            File.Delete(clock);
        }
    }

    private static async Task<int> CallUntilGoneAsync(RpcChannel channel, CancellationToken gone)
    {
        int answered = 0;
        while (!gone.IsCancellationRequested)
        {
            try
            {
                await channel.SetAsync("k", [1]);
                answered++;
            }
            catch (RpcException error)
            {
                Assert.Equal(StatusCode.Unavailable, error.Status.Code);
                return answered;
            }
        }

        return answered;
    }

    // Behaves like a client with an idempotent call: the call is retried if the status is UNAVAILABLE, and fails for any other status.
    private static async Task SetAgainAndAgainAsync(RpcChannel channel, CancellationToken over)
    {
        bool isAnswered = true;
        while (!over.IsCancellationRequested || !isAnswered)
        {
            try
            {
                await channel.SetAsync("k", [1]);
                isAnswered = true;
            }
            catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
            {
                isAnswered = false;
                await Task.Delay(TimeSpan.FromMilliseconds(20), CancellationToken.None);
            }
        }
    }

    private static async Task<StatusCode> IncrementAsync(RpcChannel channel, TimeSpan timeout)
    {
        try
        {
            IncrementRequest request = new() { Key = CallHarness.Bytes("counter"), Amount = 1, TtlMs = 600_000 };
            await channel.UnaryAsync(FaultCalls.IncrementMethod, request, RunningServer.CacheHeaders(), timeout, CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static async Task<bool> AnswersAsync(RpcChannel channel)
    {
        try
        {
            await channel.GetAsync("counter");
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }
}
