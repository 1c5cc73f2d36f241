using System.Net;
using System.Text.Json;
using Larder.Server.Console;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests.Snapshots;

public sealed class SnapshotCommandTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly SnapshotServer _server = new();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    Task IAsyncLifetime.InitializeAsync() => Task.CompletedTask;

    // The test runner calls this overload.
    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    [Fact]
    public async Task Snapshot_command_saves_running_server_and_reports_snapshot_size()
    {
        await _server.StartAsync();
        await _server.SetAsync("k", "v");
        (int status, string answer) = await _server.CommandAsync();
        Assert.Equal(200, status);
        using JsonDocument told = JsonDocument.Parse(answer);
        Assert.Equal(1, told.RootElement.GetProperty("lastEntries").GetInt64());
        Assert.Equal(new FileInfo(_server.Path).Length, told.RootElement.GetProperty("lastBytes").GetInt64());
        string metrics = await _server.ReadAsync("/metrics");
        Assert.Contains("larder_snapshot_last_entries 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains($"larder_snapshot_last_size_bytes {new FileInfo(_server.Path).Length}\n", metrics, StringComparison.Ordinal);
        Assert.DoesNotContain("larder_snapshot_last_success_timestamp_seconds 0\n", metrics, StringComparison.Ordinal);
        Assert.Contains("larder_snapshot_failures_total 0\n", metrics, StringComparison.Ordinal);
        Assert.True(await _server.HasAsync("k"));
    }

    [Theory]
    [InlineData("GET", SnapshotCommand.Header, null, 405)]
    [InlineData("POST", null, null, 403)]
    [InlineData("POST", SnapshotCommand.Header, "https://evil.example", 403)]
    [InlineData("POST", SnapshotCommand.Header, "null", 403)]
    public async Task A3_cross_site_request_writes_no_snapshot(string method, string? header, string? origin, int status)
    {
        await _server.StartAsync();
        Assert.Equal(status, (await _server.CommandAsync(header, origin, method)).Status);
        Assert.Equal(["cache.snapshot.lock"], _server.Files);
    }

    [Fact]
    public async Task Snapshot_command_requires_the_console_token()
    {
        await _server.StartAsync(options => options with { ConsoleToken = "right" });
        Assert.Equal(401, (await _server.CommandAsync()).Status);
        Assert.Equal(401, (await _server.CommandAsync(token: "wrong")).Status);
        Assert.Equal(["cache.snapshot.lock"], _server.Files);
        Assert.Equal(200, (await _server.CommandAsync(token: "right")).Status);
    }

    [Theory]
    [InlineData("127.0.0.1", "admin's", "reader's", 403)]
    [InlineData("127.0.0.1", "admin's", "admin's", 200)]
    [InlineData("0.0.0.0", null, "reader's", 403)]
    [InlineData("0.0.0.0", "admin's", "reader's", 403)]
    [InlineData("0.0.0.0", "admin's", "admin's", 200)]
    public async Task A3_snapshot_command_requires_the_admin_token(string host, string? admin, string token, int status)
    {
        await _server.StartAsync(options => options with { ConsoleHost = IPAddress.Parse(host), ConsoleToken = "reader's", ConsoleAdminToken = admin });
        Assert.Equal(status, (await _server.CommandAsync(token: token)).Status);
        Assert.Equal(status == 200, _server.Files.Contains("cache.snapshot"));
    }

    [Fact]
    public async Task Concurrent_snapshot_is_rejected_and_shutdown_writes_latest_data()
    {
        HeldWallClock clock = new();
        await _server.StartAsync(options => options with { TimeProvider = clock });
        await _server.SetAsync("k", "v");
        clock.Hold();
        Task<(int Status, string Answer)> first = _server.CommandAsync();
        await clock.AskedAsync();
        (int status, string answer) = await _server.CommandAsync();
        Assert.Equal(409, status);
        Assert.Contains("a snapshot is already being written", answer, StringComparison.Ordinal);
        Assert.Contains("larder_snapshot_writing 1\n", await _server.ReadAsync("/metrics"), StringComparison.Ordinal);
        await _server.SetAsync("later", "v");
        Task stop = _server.StopAsync();
        await Faults.Until.TrueAsync(() => Task.FromResult(_server.Lines.Of(LogLevel.Information).Any(IsDraining)), "the server drains");
        clock.Release();
        await stop;
        Assert.Contains(await StatusAsync(first), new[] { 200, 409, -1 });
        Assert.Empty(_server.Lines.Of(LogLevel.Error));
        await _server.StartAsync();
        Assert.True(await _server.HasAsync("later"));
    }

    private static bool IsDraining(string line) => line.Contains("Draining", StringComparison.Ordinal);

    // The connection may close before the response arrives, because the console also stops.
    private static async Task<int> StatusAsync(Task<(int Status, string Answer)> command)
    {
        try
        {
            return (await command).Status;
        }
        catch (HttpRequestException)
        {
            return -1;
        }
    }
}
